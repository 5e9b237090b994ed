import type { Clock } from 'strata-kit/clock';

export interface FakeClock extends Clock {
  /** Lets time pass in steps, each followed by what it woke. */
  advance(ms: number): Promise<void>;
}

/** A clock that stands still until it is told. */
export function createFakeClock(startMs = 1_000_000): FakeClock {
  let nowMs = startMs;
  const sleepers = new Set<{ readonly wakeMs: number; wake(): void }>();
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const sleeper = {
          wakeMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
      }),
    async advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const due = [...sleepers].sort((a, b) => a.wakeMs - b.wakeMs)[0];
        if (due === undefined || due.wakeMs > endMs) break;
        nowMs = due.wakeMs;
        due.wake();
        await new Promise(setImmediate);
      }
      nowMs = endMs;
    },
  };
}
