import type { Clock } from 'strata-kit/clock';
import { isStrataError } from 'strata-kit/errors';
import type { Unserved } from './opened.ts';
import type { Reconciliation } from './reconcile.ts';
import type { ReconciledExport } from './reconcile-export.ts';
import { createRepeats, type Schedule } from './repeat.ts';

interface OfSchedule {
  /** From the end of one to the beginning of the next; 0 makes none. */
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: ScheduleLog;
}

export interface ScheduleOptions extends OfSchedule {
  /** Undefined where the store derives no modules, which it never will then. */
  readonly run: (signal: AbortSignal) => Promise<Reconciliation | undefined>;
  /** Hears of each comparison; of undefined where one failed. */
  readonly onDone?: ((found: Reconciliation | undefined) => void) | undefined;
}

export interface ExportScheduleOptions extends OfSchedule {
  /** Undefined where there is nothing to compare yet. */
  readonly run: (signal: AbortSignal) => Promise<ReconciledExport | undefined>;
  /** Hears of each comparison; of undefined where one failed. */
  readonly onDone?: ((found: ReconciledExport | undefined) => void) | undefined;
}

export interface ScheduleLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

const SHOWN_ROWS = 5;

/** Comparisons of the chain's own numbers, repeated. Queries that the chain does not serve are logged once each. */
export function createSchedule({ run, log, onDone, ...timing }: ScheduleOptions): Schedule {
  const logUnserved = unservedLog(log, 'the chain does not serve a query: what it tells is not compared');
  return createRepeats<Reconciliation>({
    ...timing,
    run: async (signal) => (await run(signal)) ?? 'end',
    onFound: (found) => {
      logUnserved(found.unserved, found.height);
      logNumbers(log, found);
      onDone?.(found);
    },
    onFailed: (error, failures) => {
      logFailure(log, error, failures, 'the comparison with the chain failed');
      onDone?.(undefined);
    },
  });
}

function logNumbers(log: ScheduleLog, found: Reconciliation): void {
  const { height, agreed, disagreed, notEvaluated } = found;
  // a chain without records has nothing to agree about
  if (agreed + disagreed === 0) return;
  if (disagreed === 0) {
    log.info(
      { height, agreed, notEvaluated },
      `the chain's own numbers at height ${height} are the derived ones`,
    );
    return;
  }
  const first = found.rows.filter(({ agree }) => !agree).slice(0, SHOWN_ROWS);
  log.warn(
    { height, agreed, disagreed, notEvaluated, first },
    `${disagreed} of the chain's own numbers at height ${height} are not the derived ones: strata verify lists them`,
  );
}

/** Comparisons of whole modules, one at a time in their turns. A module that is not compared is logged once. */
export function createExportSchedule({ run, log, onDone, ...timing }: ExportScheduleOptions): Schedule {
  const logUnserved = unservedLog(log, 'the whole state of a module is not compared');
  return createRepeats<ReconciledExport | undefined>({
    ...timing,
    run,
    onFound: (found) => {
      if (found === undefined) return;
      logUnserved(found.unserved, found.height);
      logExport(log, found);
      onDone?.(found);
    },
    onFailed: (error, failures) => {
      logFailure(log, error, failures, 'the comparison of a whole module failed');
      onDone?.(undefined);
    },
  });
}

function logExport(log: ScheduleLog, { module, height, compared }: ReconciledExport): void {
  if (compared === undefined) return;
  const { records, differences, leftOut } = compared;
  const count = differences.length + leftOut;
  if (count === 0) {
    log.info(
      { module, height, records },
      `the whole state of ${module} at height ${height} is the derived one`,
    );
    return;
  }
  log.warn(
    { module, height, records, first: differences.slice(0, SHOWN_ROWS) },
    `the state of ${module} at height ${height} differs from the derived one in ${count} ${count === 1 ? 'value' : 'values'}: ` +
      '/v1/invariants lists them',
  );
}

const MAX_REASONS = 100;

function unservedLog(log: ScheduleLog, text: string) {
  const logged = new Set<string>();
  return (unserved: readonly Unserved[], height: number): void => {
    for (const { path, reason } of unserved) {
      // a node may give another reason each time
      if (logged.has(path) || logged.size >= MAX_REASONS) continue;
      logged.add(path);
      log.warn({ path, reason, height }, text);
    }
  };
}

function logFailure(log: ScheduleLog, error: unknown, failures: number, text: string): void {
  const code = isStrataError(error) ? error.code : 'internal';
  log.warn({ err: error, code, failures }, text);
}
