/** What became of a tx after it was handed over. */
export type Progress =
  /** The mempool took it, no block has it yet. */
  | { readonly at: 'waiting' }
  /** A block has it, the indexer not yet. */
  | { readonly at: 'included' }
  | { readonly at: 'indexed'; readonly tx: FollowedTx }
  /** A block has it and it failed: only the fee is gone. */
  | { readonly at: 'failed'; readonly tx: FollowedTx; readonly reason: string }
  /** No block took it while one might: it will never be taken. */
  | { readonly at: 'expired' }
  /** Nothing was seen of it for so long that nobody waits on. */
  | { readonly at: 'unseen' };

export interface FollowedTx {
  readonly hash: string;
  readonly height: number;
  readonly code: number;
  readonly raw_log?: string;
  readonly evm: { readonly status: number; readonly revert_reason: string | null } | null;
}

/** Who is asked while a tx is followed. What fails is asked again at the next turn. */
export interface FollowedAt {
  /** The tx, when it is indexed. */
  find(): Promise<FollowedTx | undefined>;
  /** Whether a block has it, where somebody can tell. */
  isIncluded(): Promise<boolean>;
  indexedHeight(): number;
}

export interface FollowOptions {
  /** The last block that may take it; undefined: any may. */
  readonly timeoutHeight: number | undefined;
  readonly signal: AbortSignal;
  /** Between two looks: a second. */
  pause(): Promise<void>;
  /** How many looks before nobody waits any more. */
  readonly looks: number;
  tell(progress: Progress): void;
}

/** Goes on until the tx is indexed, or will not be, or the signal aborts. */
export async function followTx(at: FollowedAt, options: FollowOptions): Promise<void> {
  const { timeoutHeight, signal, pause, looks, tell } = options;
  let isIncluded = false;
  tell({ at: 'waiting' });
  for (let look = 0; look < looks && !signal.aborted; look++) {
    // what is indexed is read before the tx is looked for: a tx of those blocks would be found
    const height = at.indexedHeight();
    const tx = await orUndefined(at.find());
    if (signal.aborted) return;
    if (tx.told !== undefined) return tell(endOf(tx.told));
    if (tx.isAnswered && timeoutHeight !== undefined && height > timeoutHeight) {
      return tell({ at: 'expired' });
    }
    if (!isIncluded && (await orUndefined(at.isIncluded())).told === true) {
      isIncluded = true;
      if (!signal.aborted) tell({ at: 'included' });
    }
    await pause();
  }
  if (!signal.aborted) tell({ at: 'unseen' });
}

function endOf(tx: FollowedTx): Progress {
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
