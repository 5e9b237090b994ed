import { base64, hex } from '@scure/base';
import { AskError } from '../data/errors.ts';
import { accountOf } from './address.ts';
import type { FollowedTx } from './follow.ts';
import { nonceOf } from './nonce.ts';
import { lastBlock, type PendingTx, triesOf } from './pending.ts';

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
  /** It, or one that was refused before it with the same sequence: `of`. */
  | { readonly at: 'same'; readonly tx: FollowedTx; readonly of: PendingTx }
  | { readonly at: 'other'; readonly hash: string }
  /**
   * Nothing so far. Whole: the list was read to its end once. It is no proof: the API process that answered may be behind
   * the one that told the height.
   */
  | { readonly at: 'none'; readonly isWhole: boolean };

/** Pages that one look reads. */
const PAGES = 3;

/**
 * Looks through the account's list, newest first, up to the block `usedAt`; 0: that is not known. `randomOf` gives the r of a
 * tx's signature in hex. A look goes on where the one before it ended, so that a long list, which anybody can make, is read
 * to its end. Then it begins anew. Errors: those of `list`.
 */
export function searchAtSequence(
  pending: PendingTx,
  list: (cursor: string | undefined) => Promise<TxList>,
): (usedAt: number, randomOf: (tx: PendingTx) => string | undefined) => Promise<AtSequence> {
  const tries = triesOf(pending);
  const signedHeight = Math.min(...tries.map((one) => one.signedHeight));
  const timeoutHeight = lastBlock(tries) ?? Infinity;
  let cursor: string | undefined;
  let isWhole = false;

  async function nextPage(): Promise<TxList> {
    try {
      return await list(cursor);
    } catch (error) {
      // a cursor that is refused once is refused for good
      if (error instanceof AskError && error.status === 400) cursor = undefined;
      throw error;
    }
  }

  return async (usedAt, randomOf) => {
    const last = Math.min(timeoutHeight, usedAt === 0 ? Infinity : usedAt);
    const isWithin = ({ height }: ListedTx) => height > signedHeight && height <= last;
    for (let page = 0; page < PAGES; page++) {
      const { txs, next_cursor } = await nextPage();
      const tx = txs.find((one) => isWithin(one) && isAtSequence(one, pending));
      if (tx !== undefined) {
        const signatures = signaturesOf(tx);
        const of = tries.find((one) => signatures.includes(randomOf(one) ?? ''));
        if (of !== undefined) return { at: 'same', tx, of };
        return { at: 'other', hash: tx.evm?.eth_hash ?? tx.hash };
      }
      const isEnd = next_cursor === null || txs.some(({ height }) => height <= signedHeight);
      cursor = isEnd ? undefined : next_cursor;
      if (!isEnd) continue;
      isWhole = true;
      break;
    }
    return { at: 'none', isWhole };
  };
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
