import type { Clock } from '../core/clock.ts';
import { isStrataError } from '../core/errors.ts';
import type { Reconciliation } from './reconcile.ts';

/** Comparisons that repeat while a chain is followed. */
export interface Schedule {
  /** The first comparison may be made; once. */
  begin(): void;
  /** Stops the comparison in hand, and makes no other. */
  close(): Promise<void>;
}

export interface ScheduleOptions {
  /** From the end of one to the beginning of the next; 0 makes none. */
  readonly everyMs: number;
  /** Undefined where the store derives no modules, which it never will then. */
  readonly run: (signal: AbortSignal) => Promise<Reconciliation | undefined>;
  readonly clock: Clock;
  readonly log: ScheduleLog;
  /** Hears of each comparison; of undefined where one failed. */
  readonly onDone?: ((found: Reconciliation | undefined) => void) | undefined;
}

export interface ScheduleLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

/** After failures in a row the pause doubles, up to this; a longer one than this is left as it is. */
const MAX_PAUSE_MS = 3_600_000;
const TOLD_ROWS = 5;

/**
 * One comparison at a time, in the background: what goes wrong is logged, tried again later, and ends nothing else.
 * Queries that the chain does not serve are logged once each.
 */
export function createSchedule(options: ScheduleOptions): Schedule {
  const { everyMs, clock, log } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const toldPaths = new Set<string>();
  let running: Promise<void> | undefined;

  const tell = (found: Reconciliation): void => {
    const { height, agreed, disagreed, notEvaluated, unserved } = found;
    for (const { path, reason } of unserved) {
      if (toldPaths.has(path)) continue;
      toldPaths.add(path);
      log.warn({ path, reason, height }, 'the chain does not serve a query: what it tells is not compared');
    }
    // a chain without records has nothing to agree about
    if (agreed + disagreed === 0) return;
    if (disagreed === 0) {
      log.info(
        { height, agreed, notEvaluated },
        `the chain's own numbers at height ${height} are the derived ones`,
      );
      return;
    }
    const first = found.rows.filter(({ agree }) => !agree).slice(0, TOLD_ROWS);
    log.warn(
      { height, agreed, disagreed, notEvaluated, first },
      `${disagreed} of the chain's own numbers at height ${height} are not the derived ones: strata verify lists them`,
    );
  };

  const repeat = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const found = await options.run(signal);
        if (found === undefined) return;
        failures = 0;
        tell(found);
        options.onDone?.(found);
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        const code = isStrataError(error) ? error.code : 'internal';
        log.warn({ err: error, code, failures }, 'the comparison with the chain failed');
        options.onDone?.(undefined);
      }
      const longest = Math.max(everyMs, MAX_PAUSE_MS);
      await clock.sleep(Math.min(everyMs * 2 ** Math.min(failures, 20), longest), signal);
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
