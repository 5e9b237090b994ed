import { setImmediate, setTimeout } from 'node:timers/promises';
import { linkAbort } from 'strata-kit/linked-abort';
import type { Block } from './types.ts';

/** Makes block after block until it is stopped. */
export interface Producer {
  /** Ends when it is stopped; fails when a block cannot be made, and the chain stands still. */
  readonly ended: Promise<void>;
  /** There is a tx: an idle producer without a block time goes on. */
  wake(): void;
  stop(): Promise<void>;
}

export interface ProducerOptions {
  readonly make: () => Promise<Block>;
  /** Between two blocks; 0: the next as soon as the last is done, and while nothing waits one in `idleMs`. */
  readonly blockTimeMs: number;
  /** Undefined: without txs no block. */
  readonly idleMs: number | undefined;
  readonly hasTxs: () => boolean;
  /** The chain stands in the past: the next block comes at once. */
  readonly isBehind: () => boolean;
}

export function startProducer(options: ProducerOptions): Producer {
  const { make, blockTimeMs, idleMs, hasTxs, isBehind } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = () => {};

  async function untilNext(sinceMs: number): Promise<void> {
    if (isBehind()) {
      await setImmediate(undefined, { signal });
    } else if (blockTimeMs > 0) {
      const restMs = Math.max(0, blockTimeMs - (performance.now() - sinceMs));
      await setTimeout(restMs, undefined, { signal });
    } else if (hasTxs()) {
      await setImmediate(undefined, { signal });
    } else {
      const rested = linkAbort(signal);
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const idle = setTimeout(idleMs ?? 2 ** 31 - 1, undefined, {
        signal: rested.signal,
        ref: idleMs !== undefined,
      });
      await Promise.race([woken, idle]);
      // a timer that nobody waits for any more would stay for days
      rested.abort();
      rested.unlink();
    }
  }

  async function run(): Promise<void> {
    try {
      while (!signal.aborted) {
        const sinceMs = performance.now();
        await make();
        await untilNext(sinceMs);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  const ended = run();
  return {
    ended,
    wake: () => wake(),
    async stop() {
      stopping.abort();
      // why it failed is told by `ended`
      await ended.catch(() => undefined);
    },
  };
}
