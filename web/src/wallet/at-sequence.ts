import { base64, hex } from '@scure/base';
import { accountOf } from './address.ts';
import type { FollowedTx } from './follow.ts';
import { nonceOf } from './nonce.ts';
import type { PendingTx } from './pending.ts';

/** As much of an indexed tx as is compared. */
export interface ListedTx extends FollowedTx {
  readonly msgs: readonly Readonly<Record<string, unknown>>[];
  /** Empty: it failed before execution, so it used no sequence and proved no sender. */
  readonly events: readonly {
    readonly type: string;
    readonly attributes: readonly { readonly key: string; readonly value: string | null }[];
  }[];
  readonly evm:
    | (NonNullable<FollowedTx['evm']> & { readonly from: string; readonly eth_hash: string })
    | null;
}

/** A page of the account's txs, newest first. */
export interface TxList {
  readonly txs: readonly ListedTx[];
  /** Leads to older ones; null: there are none. */
  readonly next_cursor: string | null;
}

/** What the index holds at the sequence of a pending tx. */
export type AtSequence =
  | { readonly at: 'same'; readonly tx: FollowedTx }
  | { readonly at: 'other'; readonly hash: string }
  /** Nothing so far. It proves nothing: the API process that answered may be behind the one that told the height. */
  | { readonly at: 'none' };

/** Pages that one look reads. */
const PAGES = 3;

/** Errors: those of `list`; Error when there are too many txs to look through. */
export async function searchAtSequence(
  pending: PendingTx,
  random: string | undefined,
  list: (cursor: string | undefined) => Promise<TxList>,
): Promise<AtSequence> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { txs, next_cursor } = await list(cursor);
    for (const tx of txs) {
      if (tx.height <= pending.signedHeight) return { at: 'none' };
      if (!isAtSequence(tx, pending)) continue;
      if (random !== undefined && signaturesOf(tx).includes(random)) return { at: 'same', tx };
      return { at: 'other', hash: tx.evm?.eth_hash ?? tx.hash };
    }
    if (next_cursor === null) return { at: 'none' };
    cursor = next_cursor;
  }
  throw new Error(`the account has too many transactions since block ${pending.signedHeight}`);
}

/**
 * The chain's events give the sequence of an ordinary tx. An Ethereum tx carries it as its nonce. An Ethereum wallet chose
 * the nonce by itself, so any Ethereum tx by the account may be the one it sent.
 */
function isAtSequence(tx: ListedTx, { address, sequence, bytes }: PendingTx): boolean {
  if (attributesOf(tx, 'acc_seq').includes(`${address}/${sequence}`)) return true;
  if (tx.evm === null || tx.events.length === 0 || !isFrom(tx.evm, address)) return false;
  return bytes === null || nonceOf(tx.msgs[0]) === BigInt(sequence);
}

function isFrom({ from }: { readonly from: string }, address: string): boolean {
  const bytes = accountOf(address, address.slice(0, address.lastIndexOf('1')));
  return bytes !== undefined && from.toLowerCase() === `0x${hex.encode(bytes)}`;
}

function signaturesOf(tx: ListedTx): readonly string[] {
  return attributesOf(tx, 'signature').map((text) => hex.encode(base64.decode(text).subarray(0, 32)));
}

function attributesOf({ events }: ListedTx, key: string): readonly string[] {
  return events
    .filter(({ type }) => type === 'tx')
    .flatMap(({ attributes }) => attributes)
    .filter((attribute) => attribute.key === key)
    .map(({ value }) => value ?? '');
}
