import type { ChainLog } from '../chain/log.ts';
import type { BlockSource, ChainHead } from '../chain/source.ts';
import type { Clock } from '../core/clock.ts';
import { StrataError } from '../core/errors.ts';
import { isOutage } from './outage.ts';

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
  const { source, signal, clock, log } = options;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  while (true) {
    const head = await answeredHead(options);
    if (head.latestHeight >= 1) return head;
    if (clock.nowMs() - toldAtMs >= LOG_MS) {
      toldAtMs = clock.nowMs();
      log.info({ chainId: head.chainId }, 'the chain has no block yet: waiting for its first');
    }
    await source.waitForHeightAbove(0, POLL_MS, signal);
    if (signal.aborted) throw new StrataError('aborted', 'stopped before the first block');
  }
}

async function answeredHead(options: FirstHeadOptions): Promise<ChainHead> {
  const { source, nodeWaitMs = 0, signal, clock, log } = options;
  const startedMs = clock.nowMs();
  let isTold = false;
  while (true) {
    try {
      const head = await source.head(signal);
      if (isTold) log.info({}, 'the nodes answer');
      return head;
    } catch (error) {
      const leftMs = startedMs + nodeWaitMs - clock.nowMs();
      if (!isOutage(error) || leftMs <= 0) throw error;
      if (!isTold) {
        isTold = true;
        const { code, message } = error;
        log.warn(
          { code, reason: message },
          `no node answers: waiting ${nodeWaitMs / 1_000} s for one (--node-wait)`,
        );
      }
      await clock.sleep(Math.min(POLL_MS, leftMs), signal);
      if (signal.aborted) throw new StrataError('aborted', 'stopped before a node answered');
    }
  }
}
