import { backoffMs } from 'strata-kit/backoff';
import type { Clock } from 'strata-kit/clock';

/** Work that repeats while a chain is followed. */
export interface Schedule {
  /** The first may begin; once. */
  begin(): void;
  /** Stops the work in hand, and begins no other. */
  close(): Promise<void>;
}

export interface RepeatOptions<T> {
  /** From the end of one to the beginning of the next; 0 makes none. */
  readonly everyMs: number;
  /** `end`: there is nothing to do, and never will be. */
  readonly run: (signal: AbortSignal) => Promise<T | 'end'>;
  readonly clock: Clock;
  readonly onFound: (found: T) => void;
  /** `failures`: in a row. */
  readonly onFailed: (error: unknown, failures: number) => void;
}

/** After failures in a row the pause doubles, up to this; a longer one than this is left as it is. */
const MAX_PAUSE_MS = 3_600_000;

/** One at a time, in the background: what goes wrong is reported, tried again later, and ends nothing else. */
export function createRepeats<T>({ everyMs, run, clock, onFound, onFailed }: RepeatOptions<T>): Schedule {
  const stop = new AbortController();
  const { signal } = stop;
  let running: Promise<void> | undefined;

  const repeat = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const found = await run(signal);
        if (found === 'end') return;
        failures = 0;
        onFound(found);
      } catch (error) {
        if (signal.aborted) return;
        onFailed(error, ++failures);
      }
      const longest = Math.max(everyMs, MAX_PAUSE_MS);
      await clock.sleep(backoffMs({ firstMs: everyMs, maxMs: longest }, failures + 1), signal);
    }
  };

  return {
    begin() {
      if (everyMs > 0) running ??= repeat();
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}
