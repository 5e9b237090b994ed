import type { AtSequence } from './at-sequence.ts';
import type { PendingTx } from './pending.ts';

/** What became of a tx after it was handed over. */
export type Progress =
  /** No block has it yet. Not taken: the answer was lost, so that nobody knows who has it. */
  | { readonly at: 'waiting'; readonly isTaken: boolean }
  /** Its sequence is used, so that a block has it most likely; the indexer not yet. */
  | { readonly at: 'included' }
  /** `of`: which it is of those with its sequence; undefined: the newest. */
  | { readonly at: 'indexed'; readonly tx: FollowedTx; readonly of?: PendingTx }
  /** A block has it and it failed: only the fee is gone. */
  | { readonly at: 'failed'; readonly tx: FollowedTx; readonly of?: PendingTx; readonly reason: string }
  /** No block took it while one might: it will never be taken. */
  | { readonly at: 'expired' }
  /** The index holds another tx with its sequence. Certain for signed bytes, not for a wallet's own txs. */
  | { readonly at: 'replaced'; readonly by: string }
  /** It takes longer than it should. It is asked for on, less often. */
  | { readonly at: 'unseen'; readonly why: UnseenWhy };

/**
 * `slow`: it may still come. `no_trace`: its sequence is used, and the whole index of the account has no tx with it.
 * `other_chain`: the chain is lower than when the tx was signed, so it is another one under the same id, or its node lags.
 */
export type UnseenWhy = 'slow' | 'no_trace' | 'other_chain';

export interface FollowedTx {
  readonly hash: string;
  readonly height: number;
  readonly code: number;
  readonly codespace?: string;
  readonly raw_log?: string;
  readonly evm: { readonly status: number; readonly revert_reason: string | null } | null;
}

/** Who is asked while a tx is followed. What fails is asked again at the next turn. */
export interface FollowedAt {
  /** Only blocks above this one may hold the tx. */
  readonly signedHeight: number;
  /** An Ethereum wallet chooses the sequence by itself, perhaps a later one: that the account's is used says little. */
  readonly sequenceBy: 'page' | 'wallet';
  /** False: the wallet gave no hash, so `find` finds nothing. */
  readonly hasHash: boolean;
  /** The tx, when it is indexed. */
  find(): Promise<FollowedTx | undefined>;
  /** The account's next sequence, by the chain, and the block as of which. Undefined: the chain has no such account. */
  next(): Promise<{ readonly sequence: bigint; readonly height: number } | undefined>;
  /**
   * What the index holds at the tx's sequence as of the block `usedAt`: the same tx under another hash, one that was refused
   * before it, another tx, or nothing so far.
   */
  atSequence(usedAt: number): Promise<AtSequence>;
  indexedHeight(): number;
  /** Hands the same bytes over again. */
  resend(): Promise<void>;
}

export interface FollowOptions {
  readonly sequence: bigint;
  /** The last block that may take it; undefined: any may. */
  readonly timeoutHeight: number | undefined;
  readonly isTaken: boolean;
  readonly signal: AbortSignal;
  /** Between two looks: a second, more when it takes long. */
  pause(takesLong: boolean): Promise<void>;
  /** How many looks before it takes long. */
  readonly looks: number;
  tell(progress: Progress): void;
}

/** Looks before the same bytes are sent again, doubled each time: at once where the answer was lost. */
const RESEND_LOST = 1;
const RESEND_TAKEN = 8;

/** Looks in a row at which the chain is lower than it was: a node that lags a little is no other chain. */
const LOWER_LOOKS = 30;

/** Goes on until the tx is decided or the signal aborts. It gives up at no time: nothing else may be signed before. */
export async function followTx(at: FollowedAt, options: FollowOptions): Promise<void> {
  const { sequence, timeoutHeight, isTaken, signal, pause, looks, tell } = options;
  /** The block as of which the sequence was seen used first. */
  let usedAt: number | undefined;
  const isOurSequence = at.sequenceBy === 'page';
  let between = isTaken ? RESEND_TAKEN : RESEND_LOST;
  let resendAt = between;
  let lowerLooks = 0;
  let hasNoTrace = false;
  let why: UnseenWhy | undefined;
  tell({ at: 'waiting', isTaken });
  for (let look = 0; !signal.aborted; look++) {
    // what is indexed is read before the tx is looked for: a tx of those blocks would be found
    const height = at.indexedHeight();
    const found = await orUndefined(at.find());
    if (signal.aborted) return;
    if (found.told?.code === 0) return tell(endOf(found.told));
    const next = await orUndefined(at.next());
    if (signal.aborted) return;
    const isLower = next.isAnswered && isBelow(next.told?.height, at.signedHeight);
    if (next.isAnswered) lowerLooks = isLower ? lowerLooks + 1 : 0;
    const before = why;
    why = whyUnseen(look >= looks, hasNoTrace, lowerLooks);
    if (why !== before) tell(why === undefined ? { at: 'waiting', isTaken } : { at: 'unseen', why });
    if (isLower) {
      // what another chain says decides nothing, and the same bytes might be valid there
      await pause(look >= looks);
      continue;
    }
    if (usedAt === undefined && next.told !== undefined && next.told.sequence > sequence) {
      usedAt = next.told.height;
      if (isOurSequence && look < looks) tell({ at: 'included' });
    }
    if (usedAt !== undefined) {
      if (found.told !== undefined && !lostSequence(found.told)) return tell(endOf(found.told));
      // a hash that is known decides for an Ethereum wallet, or the person does
      const asks = (isOurSequence || !at.hasHash) && found.isAnswered && height >= usedAt;
      const there = asks ? await orUndefined(at.atSequence(usedAt)) : undefined;
      if (signal.aborted) return;
      if (there?.told?.at === 'same') return tell({ ...endOf(there.told.tx), of: there.told.of });
      // only a tx that is there is proof: an index that lacks it may have it at the next look
      if (there?.told?.at === 'other') return tell({ at: 'replaced', by: there.told.hash });
      hasNoTrace ||= isOurSequence && there?.told?.isWhole === true;
    } else if (isPast(timeoutHeight, height, next.told?.height) && found.isAnswered) {
      // a failure of the ante stands in a block too, and leaves the sequence
      return tell(found.told === undefined ? { at: 'expired' } : endOf(found.told));
    } else if (look >= resendAt) {
      between *= 2;
      resendAt = look + between;
      await orUndefined(at.resend());
    }
    await pause(look >= looks);
  }
}

/** The chain has no such account, or is lower; 0: it does not say. */
function isBelow(height: number | undefined, signedHeight: number): boolean {
  return height === undefined || (height > 0 && height < signedHeight);
}

function whyUnseen(takesLong: boolean, hasNoTrace: boolean, lowerLooks: number): UnseenWhy | undefined {
  if (lowerLooks >= LOWER_LOOKS) return 'other_chain';
  if (!takesLong) return undefined;
  return hasNoTrace ? 'no_trace' : 'slow';
}

/** By the index and by the chain that told the sequence. */
function isPast(timeoutHeight: number | undefined, indexed: number, told: number | undefined): boolean {
  return (
    timeoutHeight !== undefined && told !== undefined && indexed > timeoutHeight && told >= timeoutHeight
  );
}

/** Another tx of the account came first. */
function lostSequence({ codespace, code }: FollowedTx): boolean {
  return codespace === 'sdk' && code === 32;
}

function endOf(tx: FollowedTx): Extract<Progress, { at: 'indexed' | 'failed' }> {
  if (tx.code !== 0) return { at: 'failed', tx, reason: tx.raw_log ?? '' };
  if (tx.evm?.status === 0)
    return { at: 'failed', tx, reason: tx.evm.revert_reason ?? 'the contract refused it' };
  return { at: 'indexed', tx };
}

/** A look that failed is no reason to stop: the next one may not. */
async function orUndefined<T>(
  asked: Promise<T>,
): Promise<{ readonly told: T | undefined; readonly isAnswered: boolean }> {
  try {
    return { told: await asked, isAnswered: true };
  } catch {
    return { told: undefined, isAnswered: false };
  }
}
