import type { MessageHandler } from '../../app/module.ts';
import { requireActive, requireAsset, requireKind, requireParty } from '../checks.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { delegate, end, requireOpen } from './keeper.ts';
import { PURPOSES, type Purpose } from './records.ts';

export const onDelegate: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const terms = {
    holder: fields.address('holder'),
    assetId: fields.assetId(),
    kindId: fields.small('kind_id'),
    units: fields.positive('units'),
    delegate: fields.address('delegate'),
    untilNs: fields.requiredTimeNs('until'),
    purposes: readPurposes(fields),
    revocable: fields.flag('revocable'),
  };
  if (terms.holder === terms.delegate) throw refuse('invalid', 'the holder is the delegate');
  if (terms.untilNs <= context.timeNs) throw refuse('invalid', 'until: not after the block');
  const asset = requireAsset(context.state, refuse, terms.assetId);
  requireKind(refuse, asset, terms.kindId);
  requireActive(refuse, asset, 'Delegate');
  requireParty(context, refuse, terms.delegate);
  return { id: String(delegate(context, terms)) };
};

/** By the holder, of a revocable one. */
export const onRevoke: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const holder = fields.address('holder');
  const record = requireOpen(context, fields.id('id'));
  if (holder !== record.holder)
    throw refuse('unauthorized', `${holder} is not the holder of delegation ${record.id}`);
  if (!record.revocable) throw refuse('notRevocable', `delegation ${record.id} is not revocable`);
  end(context, record, 'END_REASON_REVOKED');
  return {};
};

/** By the delegate. */
export const onReturn: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const delegateAddress = fields.address('delegate');
  const record = requireOpen(context, fields.id('id'));
  if (delegateAddress !== record.delegate)
    throw refuse('unauthorized', `${delegateAddress} is not the delegate of delegation ${record.id}`);
  end(context, record, 'END_REASON_RETURNED');
  return {};
};

/** At least one, none twice. */
export function readPurposes(fields: Fields): Purpose[] {
  const given = fields.texts('purposes');
  const purposes = given.flatMap((text) => PURPOSES.filter((purpose) => purpose === text));
  if (given.length === 0 || new Set(purposes).size !== given.length)
    throw refuse('invalid', `purposes: not one or more of ${PURPOSES.join(', ')}, each once`);
  return purposes;
}
