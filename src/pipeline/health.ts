import type { Clock } from 'strata-kit/clock';
import type { ErrorCode } from 'strata-kit/errors';
import type { ChainLog } from '../chain/log.ts';

/** How an indexing run is doing, for who looks from outside: the admin listener, and one log line a stall. */

export type IndexingPhase = 'opening' | 'backfill' | 'following' | 'ended';

/**
 * Why nothing is committed: no node reports its head; the reported head went back to or below what is indexed; there
 * are blocks, and none gets into the store; or the chain has no new block, which is the chain's matter.
 */
export type StallReason = 'no_head' | 'head_back' | 'no_commit' | 'no_new_block';

export interface IndexingStatus {
  readonly phase: IndexingPhase;
  /** 0 before the first commit of an empty store. */
  readonly indexedHeight: number;
  /** The greatest that a node told; 0 before the first. */
  readonly chainHeight: number;
  readonly lagBlocks: number;
  /** The last commit, or new height of the chain; the start of the run before either. Milliseconds since 1970. */
  readonly progressMs: number;
  readonly lastError: NodeError | undefined;
  /** Undefined while all is well. */
  readonly stall: Stall | undefined;
  /** Undefined while the nodes' head is where it was, or above. */
  readonly headBack: HeadBack | undefined;
}

/** The nodes report a lower head than before, or one below what is indexed, as after a roll-back. */
export interface HeadBack {
  /** The greatest height that was reported or is indexed. */
  readonly fromHeight: number;
  /** What is reported now. */
  readonly toHeight: number;
  readonly sinceMs: number;
}

export interface NodeError {
  readonly code: ErrorCode;
  /** The node's URL without its secrets; undefined for what is not one node's. */
  readonly node: string | undefined;
  readonly atMs: number;
}

export interface Stall {
  readonly reason: StallReason;
  /** Since when there is no progress, in milliseconds since 1970. */
  readonly sinceMs: number;
}

export interface IndexingHealth {
  status(): IndexingStatus;
  notePhase(phase: IndexingPhase): void;
  /** The store stands at `height`: at the start, and after each commit. The block's time tells the chain's pace. */
  noteIndexed(height: number, blockTimeNs: bigint): void;
  /** A node told its head. */
  noteHead(chainHeight: number): void;
  noteError(code: ErrorCode, node?: string): void;
  /** Modules are derived again: nothing is committed meanwhile, and that is no stall. */
  noteRederiving(isRederiving: boolean): void;
  /** Looks each second until the signal, and logs a stall when it begins and when it is over. */
  watch(signal: AbortSignal): Promise<void>;
}

export interface HealthOptions {
  readonly clock: Clock;
  readonly log: ChainLog;
  /** The longest time between two commits that is meant to be. */
  readonly commitMs?: number;
}

/** With a commit's own time and a look each second a stall shows within 30 s. */
const STALL_AFTER_MS = 22_000;
const LOOK_MS = 1_000;
/** A head older than this is no word about the chain: it is asked each second. */
const HEARD_MS = 5_000;
/** Where the best node fails for a moment, the next one may be some blocks lower. */
const HEAD_BACK_AFTER_MS = 10_000;
/** A chain is quiet when it takes this many times its blocks' pace. */
const QUIET_FACTOR = 5;
const PACE_WEIGHT = 0.1;

export function createIndexingHealth({ clock, log, commitMs = 0 }: HealthOptions): IndexingHealth {
  const startedMs = clock.nowMs();
  const stallAfterMs = STALL_AFTER_MS + commitMs;
  let phase: IndexingPhase = 'opening';
  let indexed = { height: 0, blockTimeNs: 0n };
  let chainHeight = 0;
  let committedMs = startedMs;
  let headMs = startedMs;
  let reportedHeight = 0;
  /** Since when every reported head is lower than the greatest before; undefined while it is not. */
  let backSinceMs: number | undefined;
  let grownMs = startedMs;
  let behindSinceMs = startedMs;
  /** Mean time between two blocks, by their own times. */
  let paceMs = 0;
  let lastError: NodeError | undefined;
  let isRederiving = false;

  const isBehind = (): boolean => indexed.height < chainHeight;
  const quietAfterMs = (): number => Math.max(stallAfterMs, QUIET_FACTOR * paceMs);

  const findHeadBack = (): HeadBack | undefined => {
    const fromHeight = Math.max(chainHeight, indexed.height);
    if (phase === 'opening' || phase === 'ended' || backSinceMs === undefined) return undefined;
    if (clock.nowMs() - backSinceMs < HEAD_BACK_AFTER_MS) return undefined;
    return { fromHeight, toHeight: reportedHeight, sinceMs: backSinceMs };
  };

  const findStall = (): Stall | undefined => {
    if (phase === 'opening' || phase === 'ended' || isRederiving) return undefined;
    const nowMs = clock.nowMs();
    // blocks that come after a quiet time are not late at once
    const sinceMs = isBehind() ? Math.max(committedMs, behindSinceMs) : grownMs;
    const stallMs = isBehind() ? stallAfterMs : quietAfterMs();
    if (nowMs - headMs >= stallAfterMs && (!isBehind() || nowMs - sinceMs >= stallMs)) {
      return { reason: 'no_head', sinceMs: headMs };
    }
    const back = findHeadBack();
    if (back !== undefined && back.toHeight <= indexed.height) {
      return { reason: 'head_back', sinceMs: back.sinceMs };
    }
    if (nowMs - sinceMs < stallMs) return undefined;
    // whether the chain has a new block is not known while no node answers
    if (!isBehind() && nowMs - headMs >= HEARD_MS) return undefined;
    return { reason: isBehind() ? 'no_commit' : 'no_new_block', sinceMs };
  };

  const status = (): IndexingStatus => ({
    phase,
    indexedHeight: indexed.height,
    chainHeight,
    lagBlocks: Math.max(0, chainHeight - indexed.height),
    progressMs: Math.max(committedMs, grownMs),
    lastError,
    stall: findStall(),
    headBack: findHeadBack(),
  });

  /** One line when the head went back, one when it is where it was. */
  const lookAtHead = (logged: HeadBack | undefined): HeadBack | undefined => {
    const { headBack } = status();
    if (headBack === undefined) {
      if (logged !== undefined) {
        log.info({ height: reportedHeight }, `the nodes' head is at height ${reportedHeight} again`);
      }
      return undefined;
    }
    if (logged !== undefined) return logged;
    const { fromHeight, toHeight } = headBack;
    log.warn(
      { fromHeight, toHeight, height: indexed.height },
      `the nodes' head went back from height ${fromHeight} to ${toHeight}: they were rolled back or restored, or one that is ahead does not answer`,
    );
    return headBack;
  };

  const look = (told: Stall | undefined): Stall | undefined => {
    const { stall, lagBlocks, indexedHeight: height } = status();
    if (stall === undefined) {
      if (told !== undefined) log.info({ height, lagBlocks }, 'indexing goes on');
      return undefined;
    }
    // that the head went back is a line of its own
    if (stall.reason === 'head_back' || (told !== undefined && told.reason === stall.reason)) return stall;
    const seconds = Math.round((clock.nowMs() - stall.sinceMs) / 1_000);
    const facts = { reason: stall.reason, height, lagBlocks, seconds, lastError };
    log.warn(facts, `indexing stands still at height ${height}: ${EXPLANATIONS[stall.reason]}`);
    return stall;
  };

  const startAnew = (): void => {
    committedMs = clock.nowMs();
    headMs = committedMs;
    grownMs = committedMs;
    behindSinceMs = committedMs;
  };

  return {
    status,
    notePhase(next) {
      // opening a store may take long, and is no stall
      if (phase === 'opening' && next !== 'opening') startAnew();
      phase = next;
    },
    noteIndexed(height, blockTimeNs) {
      committedMs = clock.nowMs();
      if (indexed.height > 0 && height > indexed.height) {
        const ms = Number(blockTimeNs - indexed.blockTimeNs) / 1e6 / (height - indexed.height);
        // a halt of a day is no measure of the time between blocks
        const seenMs = Math.min(ms, quietAfterMs());
        paceMs = paceMs === 0 ? seenMs : paceMs + (seenMs - paceMs) * PACE_WEIGHT;
      }
      indexed = { height, blockTimeNs };
    },
    noteHead(height) {
      headMs = clock.nowMs();
      reportedHeight = height;
      if (height >= Math.max(chainHeight, indexed.height)) backSinceMs = undefined;
      else backSinceMs ??= headMs;
      if (height <= chainHeight) return;
      if (!isBehind()) behindSinceMs = headMs;
      grownMs = headMs;
      chainHeight = height;
    },
    noteError(code, node) {
      lastError = { code, node, atMs: clock.nowMs() };
    },
    noteRederiving(is) {
      if (isRederiving && !is) startAnew();
      isRederiving = is;
    },
    async watch(signal) {
      let told: Stall | undefined;
      let loggedBack: HeadBack | undefined;
      while (!signal.aborted) {
        await clock.sleep(LOOK_MS, signal);
        if (signal.aborted) return;
        loggedBack = lookAtHead(loggedBack);
        told = look(told);
      }
    },
  };
}

const EXPLANATIONS: Readonly<Record<Exclude<StallReason, 'head_back'>, string>> = {
  no_head: 'no node tells the height of the chain',
  no_commit: 'there are blocks, and none gets into the store',
  no_new_block: 'the nodes answer, and the chain has no new block',
};
