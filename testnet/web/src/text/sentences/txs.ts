import { isFailed } from '../../../../src/what.ts';
import { methodText } from '../methods.ts';
import { type Act, type Acts, type ToldEvent, withoutNamespace } from './act.ts';
import { ASSET } from './asset.ts';
import { ATTESTATION } from './attestation.ts';
import { BANK } from './bank.ts';
import { BRIDGE } from './bridge.ts';
import { DELEGATION } from './delegation.ts';
import { ENCUMBRANCE } from './encumbrance.ts';
import { ethereumAct } from './evm.ts';
import { type Fields, isFields, textOf } from './fields.ts';
import { PAYOUT } from './payout.ts';
import { reasonSentence } from './reasons.ts';
import { RIGHTS } from './rights.ts';
import { capital, listed, type Part, type Sentence, say } from './sentence.ts';
import { SETTLEMENT } from './settlement.ts';
import { WATERFALL } from './waterfall.ts';

export const ACTS: Acts = {
  ...ASSET,
  ...ATTESTATION,
  ...BANK,
  ...BRIDGE,
  ...DELEGATION,
  ...ENCUMBRANCE,
  ...PAYOUT,
  ...RIGHTS,
  ...SETTLEMENT,
  ...WATERFALL,
};

/** What of a Tx of `/v1` its sentence is made of. */
export interface SentenceTx {
  readonly code: number;
  readonly raw_log?: string;
  readonly msgs: readonly Fields[];
  readonly evm: { readonly status: number; readonly revert_reason: string | null } | null;
  readonly events: readonly {
    readonly type: string;
    readonly msg_index: number | null;
    readonly decoded: unknown;
    readonly attributes: readonly { readonly key: string; readonly value: string }[];
  }[];
}

/** A tx in words. */
export interface TxWords {
  /** Signer, or sender of an Ethereum tx. */
  readonly who: Part;
  /** `Transferred 12 units of kind 1 of … to …`, `Tried to transfer …` */
  readonly inShort: Sentence;
  /** The same with who did it. */
  readonly sentence: Sentence;
  /** Why it failed, undefined where it did not. */
  readonly reason: Sentence | undefined;
}

/** More messages than this are counted, not told. */
const TOLD_MESSAGES = 3;

export function txWords(tx: SentenceTx): TxWords {
  const reason = failureOf(tx);
  const acts = tx.msgs.map((message, at) => actOf(tx, message, at));
  const who = acts[0]?.who ?? signerOf(tx) ?? 'somebody';
  const done = told(acts, reason === undefined);
  return { who, inShort: capital(done), sentence: capital(say`${who} ${done}`), reason };
}

/** One message in words: `ada transferred …`, or that it was tried. */
export function messageSentence(tx: SentenceTx, at: number): Sentence {
  const message = tx.msgs[at];
  if (message === undefined) return [];
  const act = actOf(tx, message, at);
  return capital(say`${act.who} ${told([act], failureOf(tx) === undefined)}`);
}

function told(acts: readonly Act[], isDone: boolean): Sentence {
  if (acts.length === 0) return ['sent bytes that are no transaction'];
  const shown = acts.slice(0, acts.length > TOLD_MESSAGES ? TOLD_MESSAGES - 1 : TOLD_MESSAGES);
  const items = shown.map(
    ({ did, toDo, what, after = '' }): Sentence => say`${isDone ? did : toDo} ${what}${isDone ? after : ''}`,
  );
  const rest = acts.length - shown.length;
  const more: readonly Sentence[] =
    rest === 0 ? [] : [[isDone ? `did ${rest} more things` : `do ${rest} more things`]];
  return [...(isDone ? [] : ['tried to ']), ...listed([...items, ...more])];
}

function actOf(tx: SentenceTx, message: Fields, at: number): Act {
  const type = textOf(message, '@type');
  const events = eventsOf(tx, at);
  if (/MsgEthereumTx$/.test(type) && at === 0 && isFields(tx.evm))
    return ethereumAct(tx.evm, message, events);
  const act = ACTS[withoutNamespace(type)];
  if (act !== undefined) return act(message, events);
  const { name, module } = methodText(type);
  const what = say`the message ${{ is: 'text', text: name } as const}${module === '' ? '' : say` of ${{ is: 'text', text: module } as const}`}`;
  return { who: signerOf(tx) ?? 'somebody', did: 'sent', toDo: 'send', what };
}

function eventsOf(tx: SentenceTx, at: number): readonly ToldEvent[] {
  return tx.events.flatMap(({ type, msg_index, decoded }) =>
    msg_index === at && isFields(decoded) ? [{ type: withoutNamespace(type), fields: decoded }] : [],
  );
}

function failureOf(tx: SentenceTx): Sentence | undefined {
  return isFailed(tx) ? reasonSentence(reasonOf(tx)) : undefined;
}

/** Why it failed, in the chain's words. */
export function reasonOf({ code, raw_log, evm }: SentenceTx): string {
  return (code === 0 ? undefined : raw_log) ?? evm?.revert_reason ?? '';
}

/** Who paid the fee, which events tell of whatever got that far. */
function signerOf({ events }: SentenceTx): Part | undefined {
  for (const { type, attributes } of events) {
    const payer = type === 'tx' ? attributes.find(({ key }) => key === 'fee_payer') : undefined;
    if (payer !== undefined && payer.value !== '') return { is: 'address', address: payer.value };
  }
  return undefined;
}
