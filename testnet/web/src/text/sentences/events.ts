import { methodText } from '../methods.ts';
import { type Happenings, withoutNamespace } from './act.ts';
import { ASSET_EVENTS } from './asset.ts';
import { ATTESTATION_EVENTS } from './attestation.ts';
import { BRIDGE_EVENTS } from './bridge.ts';
import { DELEGATION_EVENTS } from './delegation.ts';
import { ENCUMBRANCE_EVENTS } from './encumbrance.ts';
import type { Fields } from './fields.ts';
import { PAYOUT_EVENTS } from './payout.ts';
import { RIGHTS_EVENTS } from './rights.ts';
import { capital, type Sentence, say } from './sentence.ts';
import { SETTLEMENT_EVENTS } from './settlement.ts';
import { WATERFALL_EVENTS } from './waterfall.ts';

export const HAPPENINGS: Happenings = {
  ...ASSET_EVENTS,
  ...ATTESTATION_EVENTS,
  ...BRIDGE_EVENTS,
  ...DELEGATION_EVENTS,
  ...ENCUMBRANCE_EVENTS,
  ...PAYOUT_EVENTS,
  ...RIGHTS_EVENTS,
  ...SETTLEMENT_EVENTS,
  ...WATERFALL_EVENTS,
};

/** What a typed event says, by its full proto name and decoded fields. One that is not known is named, no more. */
export function eventSentence(type: string, fields: Fields): Sentence {
  const happening = HAPPENINGS[withoutNamespace(type)];
  if (happening !== undefined) return capital(happening(fields));
  const { name, module } = methodText(type);
  return say`${name}${module === '' ? '' : ` (${module})`}, an event that has no words here`;
}
