import type { Clock } from 'strata-kit/clock';
import type { OpenedStore } from './messages.ts';
import type { RederiveReport } from './rederive.ts';

/** Lines that indexing logs. */
export interface IndexingLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

const REDERIVING_LOG_MS = 10_000;

const BAD_BLOCKS_LOG_MS = 10_000;
/** So many heights are named in a line. */
const BAD_BLOCKS_NAMED = 10;

/** A line for bad blocks that are in the store now, and in a time of many one for all that came since the last line. */
export function badBlockLogger(log: IndexingLog, clock: Clock): (heights: readonly number[]) => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  return (heights) => {
    unlogged += heights.length;
    if (unlogged === 0 || clock.nowMs() - loggedMs < BAD_BLOCKS_LOG_MS) return;
    loggedMs = clock.nowMs();
    const named = heights.slice(0, BAD_BLOCKS_NAMED);
    log.warn(
      { count: unlogged, heights: named },
      unlogged === 1
        ? `block ${named.join()} is kept although its results cannot be used (table bad_blocks)`
        : `${unlogged} blocks are kept although their results cannot be used, ${named.join(', ')} among them (table bad_blocks)`,
    );
    unlogged = 0;
  };
}

/** A line now and then while modules are derived from stored facts. */
export function rederivingLogger(log: IndexingLog, clock: Clock): (report: RederiveReport) => void {
  let loggedMs = clock.nowMs();
  return (report) => {
    if (clock.nowMs() - loggedMs < REDERIVING_LOG_MS) return;
    loggedMs = clock.nowMs();
    const { height, toHeight } = report;
    log.info(report, `deriving modules from stored facts: height ${height} of ${toHeight}`);
  };
}

export function logRederived(report: RederiveReport, log: IndexingLog): void {
  const { modules, blocks, events, seconds } = report;
  log.info(
    report,
    `derived ${modules.join(', ')} from ${blocks} stored blocks with ${events} events in ${seconds.toFixed(1)} s`,
  );
}

export function logRepair({ deletedRows, stepBack }: OpenedStore, log: IndexingLog): void {
  if (stepBack !== undefined) {
    const goesOn =
      stepBack.toHeight === stepBack.fromHeight
        ? 'its modules are derived again'
        : `stepped back to height ${stepBack.toHeight}, and going on from there`;
    log.warn(
      { ...stepBack, deletedRows },
      `table ${stepBack.table} had ${stepBack.found} rows where the checkpoint at height ${stepBack.fromHeight} counted ${stepBack.expected}: ${goesOn}`,
    );
  } else if (deletedRows > 0) {
    log.warn({ rows: deletedRows }, 'removed rows of a commit that was cut short');
  }
}
