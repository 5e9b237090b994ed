import type { Clock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import type { SourceObserver } from '../observer.ts';
import type { Send } from './ask.ts';
import type { NodeState } from './node-state.ts';
import { noteRefusal, noteTaken, pause, waitForPlace } from './pace.ts';
import { throttlingOf, UNAVAILABLE } from './refusals.ts';

export interface SendOptions {
  readonly clock: Clock;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
  readonly observer: SourceObserver;
  readonly timeoutMs: number;
  readonly maxBodyBytes: () => number;
}

/** Requests at each node's pace, which is learned from its answers. Errors: see Send; aborted. */
export function createSend({ clock, random, observer, timeoutMs, maxBodyBytes }: SendOptions): Send {
  async function waitFor({ pace }: NodeState, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const waitMs = waitForPlace(pace, clock.nowMs());
      if (waitMs <= 0) return;
      await clock.sleep(waitMs, signal);
      if (signal?.aborted === true) throw new StrataError('aborted', 'the request was stopped');
    }
  }

  return async (node, call, signal) => {
    await waitFor(node, signal);
    const startedMs = clock.nowMs();
    const answer = await node.http.ask(call, { timeoutMs, maxBodyBytes: maxBodyBytes(), signal });
    const nowMs = clock.nowMs();
    observer.onRequest?.(node.name, nowMs - startedMs, answer.bytes.length);
    const throttling = throttlingOf(answer, { node: node.name });
    if (throttling === undefined) {
      noteTaken(node.pace, nowMs);
      return answer;
    }
    if (answer.status !== UNAVAILABLE) noteRefusal(node.pace, nowMs);
    pause(node.pace, nowMs, random, answer.retryAfterMs);
    throw throttling;
  };
}
