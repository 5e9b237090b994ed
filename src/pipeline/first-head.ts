import type { Clock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { waitForNode } from 'strata-kit/node-wait';
import type { ChainLog } from '../chain/log.ts';
import type { BlockSource, ChainHead } from '../chain/source.ts';

export interface FirstHeadOptions {
  readonly source: BlockSource;
  /** How long nodes that do not answer are waited for. */
  readonly nodeWaitMs?: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: ChainLog;
}

const POLL_MS = 1_000;
const LOG_MS = 10_000;

/**
 * The head at the start. A node that does not answer may be in the midst of a restart: it is waited for `nodeWaitMs`,
 * and its failure is the start's after that. A node before its first block answers nothing about its chain: that block
 * is waited for without an end.
 *
 * Errors: those of BlockSource.head; aborted.
 */
export async function firstHead(options: FirstHeadOptions): Promise<ChainHead> {
  const { source, nodeWaitMs = 0, signal, clock, log } = options;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  while (true) {
    const head = await waitForNode(() => source.head(signal), { nodeWaitMs, signal, clock, log });
    if (head.latestHeight >= 1) return head;
    if (clock.nowMs() - toldAtMs >= LOG_MS) {
      toldAtMs = clock.nowMs();
      log.info({ chainId: head.chainId }, 'the chain has no block yet: waiting for its first');
    }
    await source.waitForHeightAbove(0, POLL_MS, signal);
    if (signal.aborted) throw new StrataError('aborted', 'stopped before the first block');
  }
}
