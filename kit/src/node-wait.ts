import type { Clock } from './clock.ts';
import { StrataError } from './errors.ts';
import { isOutage } from './outage.ts';

export interface NodeWaitOptions {
  /** How long nodes that do not answer are waited for. */
  readonly nodeWaitMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
}

const POLL_MS = 1_000;

/**
 * What `ask` answers, at a start: a node that does not answer may be in the midst of a restart, so that it is asked again
 * for `nodeWaitMs`, and a line tells of it. Errors: those of `ask`, outages among them when the time is up; aborted.
 */
export async function waitForNode<T>(ask: () => Promise<T>, options: NodeWaitOptions): Promise<T> {
  const { nodeWaitMs, signal, clock, log } = options;
  const startedMs = clock.nowMs();
  let isTold = false;
  while (true) {
    try {
      const answer = await ask();
      if (isTold) log.info({}, 'the nodes answer');
      return answer;
    } catch (error) {
      const leftMs = startedMs + nodeWaitMs - clock.nowMs();
      if (!isOutage(error) || leftMs <= 0) throw error;
      if (!isTold) {
        isTold = true;
        const { code, message } = error;
        log.warn({ code, reason: message }, `no node answers: waiting ${nodeWaitMs / 1_000} s for one`);
      }
      await clock.sleep(Math.min(POLL_MS, leftMs), signal);
      if (signal.aborted) throw new StrataError('aborted', 'stopped before a node answered');
    }
  }
}
