import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { askControl } from '../../admin/control.ts';
import type { StepWatch } from '../../core/steps.ts';
import type { StoreChoice } from '../../core/store-choice.ts';
import type { RederiveReport } from '../../pipeline/rederive.ts';
import { controlPath, REINDEX_REQUEST } from '../folder-control.ts';
import { formatBar, formatCount, formatRate } from '../progress-format.ts';
import { reindexStores } from '../reindexing.ts';
import { withStores } from '../stores.ts';

export interface ReindexOptions {
  readonly store: StoreChoice;
  /** Undefined: all. */
  readonly module: string | undefined;
  readonly namespace: string;
  readonly modulePaths: readonly string[];
  readonly forceModules: boolean;
  /** A test's. */
  readonly steps?: StepWatch | undefined;
}

const DRAW_MS = 200;
const LOG_MS = 5_000;
const BAR_CELLS = 16;

/**
 * strata reindex: modules derived again from what the store holds, while what was derived before is served. The process
 * that has an embedded store open does it, and pauses its indexing; this one where there is none. Prints what it did.
 */
export async function reindex(options: ReindexOptions, context: CommandContext): Promise<void> {
  const { modules, blocks, events, seconds, generation } = await run(options, context);
  const rate = formatRate(blocks / Math.max(seconds, 0.001));
  context.print(
    `derived ${modules.join(', ')} from ${formatCount(blocks)} blocks with ${formatCount(events)} events in ` +
      `${seconds.toFixed(1)} s (${rate} blocks/s): generation ${generation}`,
  );
}

async function run(options: ReindexOptions, context: CommandContext): Promise<RederiveReport> {
  const { store, ...wish } = options;
  if (store.kind === 'embedded') {
    const answer = await askControl(controlPath(store.folder), REINDEX_REQUEST, { module: wish.module });
    if (answer !== undefined) return answer.result as RederiveReport;
  }
  const { line, log, signal } = context;
  const onProgress = progress(line, log);
  try {
    return await withStores(
      store,
      (stores) =>
        reindexStores(stores, { ...wish, isAlone: store.kind === 'embedded', watch: { onProgress }, signal }),
      { mustExist: true },
    ).catch(sayWhoIsAsked);
  } finally {
    line?.clear();
  }
}

/** A line on a terminal, lines of the log elsewhere. */
function progress(
  line: CommandContext['line'],
  log: CommandContext['log'],
): (report: RederiveReport) => void {
  let toldMs = systemClock.nowMs();
  return (report) => {
    if (systemClock.nowMs() - toldMs < (line === undefined ? LOG_MS : DRAW_MS)) return;
    toldMs = systemClock.nowMs();
    const { height, toHeight, blocks, seconds } = report;
    const left = toHeight - height;
    const text = `${formatCount(height)}/${formatCount(toHeight)} · ${formatRate(blocks / seconds)} blocks/s`;
    if (line === undefined) log.info(report, `deriving modules: ${text}`);
    else line.set(`${formatBar(blocks, blocks + left, BAR_CELLS)} ${text}`);
  };
}

function sayWhoIsAsked(error: unknown): never {
  if (!isStrataError(error, 'store_in_use')) throw error;
  throw new StrataError(
    'store_in_use',
    `${error.message}. If strata engine has it, give its URL as --clickhouse; if strata start, index or serve has it, its ` +
      "data folder's path is too long or its disk unfit for a socket (control.sock): stop it first",
    { cause: error },
  );
}
