import { setImmediate as nextTurn } from 'node:timers/promises';
import { StrataError } from 'strata-kit/errors';
import { noStep, type Step } from '../core/steps.ts';
import type { TableSpec } from '../core/table.ts';
import type { DeriveParameters } from '../derive/derivation.ts';
import { createDeriver } from '../derive/deriver.ts';
import { type Checkpoint, checkpointsFrom, readCheckpoint, replaceCheckpoint } from '../store/checkpoints.ts';
import { countedRows, exactRows, nextGeneration } from '../store/generations.ts';
import { countRows } from '../store/repair.ts';
import type { Store } from '../store/store.ts';
import { type DeriveOptions, derivedSpecs } from './derive-options.ts';
import { insertFiles } from './insert-files.ts';
import { addRollUps } from './roll-ups.ts';
import { createSpoolBatch, type SpoolBatch } from './spool.ts';
import { storedFacts } from './stored-facts.ts';

/** What a derivation from stored facts has done so far, or in all. */
export interface RederiveReport {
  readonly modules: readonly string[];
  readonly generation: number;
  /** The last height that is derived, and the one at which it ends. */
  readonly height: number;
  readonly toHeight: number;
  readonly blocks: number;
  readonly events: number;
  readonly seconds: number;
}

/** Derivations, with parameters that are settled. */
export type RederivedWith = Pick<DeriveOptions, 'derivations'> & { readonly parameters: DeriveParameters };

export interface RederiveOptions {
  readonly derive: RederivedWith;
  /** Whose rows are made anew; the others are run beside them, as events and state go through all in one order. */
  readonly modules: readonly string[];
  readonly spoolFolder: string;
  readonly step?: Step;
  /** Called after each range. */
  readonly onProgress?: (report: RederiveReport) => void;
  /** Ends it: what is written is dropped by the next start. */
  readonly signal?: AbortSignal | undefined;
}

/** Blocks that are derived in one turn of the thread's event loop, some 50 ms. */
const SLICE_BLOCKS = 100;
/** Rows that are inserted together: some 60 statements, which run while later events are derived. */
const SPOOL_BYTES = 32_000_000;

/**
 * Derives modules again from stored facts, up to the checkpoint, into a generation that nobody sees, and then has the
 * checkpoint name it: one row. The generation that it replaces is there still (dropOtherGenerations). Killed at any
 * moment, the store is at the old generation or at the new one.
 *
 * Errors: derive_failed; store_in_use when another process has written a checkpoint, or into the new generation,
 * meanwhile; aborted; store_query_failed, disk_full.
 */
export async function rederive(
  store: Store,
  checkpoint: Checkpoint,
  options: RederiveOptions,
): Promise<{ readonly checkpoint: Checkpoint; readonly report: RederiveReport }> {
  const { derive, modules, step = noStep } = options;
  const startedMs = performance.now();
  step('reindex:begin');
  const rowsAtHeight = (await checkpointsFrom(store, checkpoint.height)).count;
  const generation = await nextGeneration(store);
  const generations = new Map(modules.map((module) => [module, generation]));
  const deriver = createDeriver({
    derivations: derive.derivations,
    parameters: derive.parameters,
    generations,
  });
  const inserter = createInserter(store, derivedSpecs(derive.derivations), options.spoolFolder, step);
  const firstHeight = checkpoint.firstHeight - 1;
  let height = firstHeight;
  let events = 0;
  const report = (): RederiveReport => ({
    modules,
    generation,
    height,
    toHeight: checkpoint.height,
    blocks: height - firstHeight,
    events,
    seconds: (performance.now() - startedMs) / 1_000,
  });
  try {
    const facts = { filter: deriver.filter, fromHeight: firstHeight, toHeight: checkpoint.height };
    for await (const range of storedFacts(store, facts)) {
      if (options.signal?.aborted === true) throw new StrataError('aborted', 'the re-derivation was stopped');
      for (let from = 0; from < range.blocks.length; from += SLICE_BLOCKS) {
        for (const block of deriver.derive(range.blocks.slice(from, from + SLICE_BLOCKS))) {
          inserter.append(block);
        }
        await inserter.insertIfDue();
        // statements that run beside it have their answers taken
        await nextTurn();
      }
      height = range.toHeight;
      events += range.events;
      options.onProgress?.(report());
    }
    await inserter.finish();
    const sums = await addRollUps(store, derive.derivations, generations, firstHeight, checkpoint.height);
    for (const [table, count] of sums) inserter.count(table, count);
  } finally {
    await inserter.remove();
  }
  step('reindex:derived');
  const next = await withGeneration(store, checkpoint, { derive, modules, generation });
  checkInserted(next, modules, derive, inserter.rows);
  const newest = await checkpointsFrom(store, checkpoint.height);
  if (newest.count !== rowsAtHeight) throw interfered(`it has a checkpoint at height ${newest.height}`);
  await replaceCheckpoint(store, next);
  step('reindex:switched');
  return { checkpoint: (await readCheckpoint(store)) ?? next, report: report() };
}

/**
 * The checkpoint with modules of another generation, and without those that are no module any more; what it counts of
 * their tables is counted anew.
 */
export async function withGeneration(
  store: Store,
  checkpoint: Checkpoint,
  given: {
    readonly derive: Pick<DeriveOptions, 'derivations'>;
    readonly modules: readonly string[];
    readonly generation: number;
  },
): Promise<Checkpoint> {
  const { derivations } = given.derive;
  const generations = new Map<string, number>();
  const tableGenerations = new Map<string, number>();
  for (const { module, tables } of derivations) {
    const generation = given.modules.includes(module) ? given.generation : checkpoint.generations.get(module);
    if (generation === undefined) continue;
    generations.set(module, generation);
    for (const { name } of tables) tableGenerations.set(name, generation);
  }
  const named = { ...checkpoint, generations, tableGenerations };
  const facts = [...checkpoint.rows].filter(([table]) => countedRows(checkpoint, table) === undefined);
  const counts = await countRows(
    store,
    derivedSpecs(derivations).map(({ name }) => name),
    (table) => exactRows(named, table),
  );
  return { ...named, rows: new Map([...facts, ...counts]) };
}

/** Rows that nobody here has written, as of an insert of a killed process that came late. Errors: store_in_use. */
function checkInserted(
  { rows }: Checkpoint,
  modules: readonly string[],
  { derivations }: Pick<DeriveOptions, 'derivations'>,
  inserted: ReadonlyMap<string, number>,
): void {
  for (const { module, tables } of derivations) {
    if (!modules.includes(module)) continue;
    for (const { name } of tables) {
      const [found = 0, expected = 0] = [rows.get(name), inserted.get(name)];
      if (found !== expected) throw interfered(`table ${name} has ${found} rows instead of ${expected}`);
    }
  }
}

function interfered(what: string): StrataError {
  return new StrataError(
    'store_in_use',
    `another process has written into this store while its modules were derived again: ${what}. Nothing has changed; stop that process, and do it again`,
  );
}

interface Inserter {
  readonly rows: ReadonlyMap<string, number>;
  append(block: { readonly table: string; readonly rows: number; readonly native: Uint8Array }): void;
  /** Starts an insert of what has gathered, beside which more may gather; waits for the one before. */
  insertIfDue(): Promise<void>;
  finish(): Promise<void>;
  /** Rows that the store has made itself. */
  count(table: string, rows: number): void;
  /** Drops what was not inserted. */
  remove(): Promise<void>;
}

function createInserter(
  store: Store,
  tables: readonly TableSpec[],
  spoolFolder: string,
  step: Step,
): Inserter {
  const rows = new Map<string, number>();
  let sequence = 0;
  let batch: SpoolBatch | undefined;
  let bytes = 0;
  let running: Promise<void> = Promise.resolve();

  const count = (table: string, added: number): void => {
    rows.set(table, (rows.get(table) ?? 0) + added);
  };
  const insert = async (sealed: SpoolBatch): Promise<void> => {
    const files = await sealed.seal();
    await insertFiles(store, tables, files, (table) => step('reindex:insert', table));
    for (const [table, file] of files) count(table, file.rows);
    sealed.remove();
  };
  const start = async (): Promise<void> => {
    const sealed = batch;
    batch = undefined;
    bytes = 0;
    await running;
    if (sealed === undefined) return;
    running = insert(sealed);
    // awaited with the next one
    running.catch(() => undefined);
  };
  return {
    rows,
    count,
    append(block) {
      batch ??= createSpoolBatch(spoolFolder, `rederived-${sequence++}`);
      batch.append(block);
      bytes += block.native.byteLength;
    },
    async insertIfDue() {
      if (bytes >= SPOOL_BYTES) await start();
    },
    async finish() {
      await start();
      await running;
    },
    async remove() {
      // the error that ended it is the one to report
      await batch?.seal().catch(() => undefined);
      batch?.remove();
    },
  };
}
