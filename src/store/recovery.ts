import { StrataError } from 'strata-kit/errors';
import { noStep, type Step } from '../core/steps.ts';
import {
  type Checkpoint,
  deleteCheckpointsAbove,
  readCheckpoints,
  replaceCheckpoint,
} from './checkpoints.ts';
import { countedRows, dropOtherGenerations, exactRows, generationTables } from './generations.ts';
import {
  countRows,
  findDifference,
  findSoundCheckpoint,
  heightTables,
  type RowDifference,
  repairAboveCheckpoint,
} from './repair.ts';
import { uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/** A power failure takes what was not yet on the disk, which is minutes of commits at most. */
const MAX_CHECKPOINTS = 100;

/** Where a store stands after repair at start. */
export interface Recovery {
  readonly checkpoint: Checkpoint | undefined;
  /** Rows above the checkpoint that were deleted. */
  readonly deletedRows: number;
  readonly stepBack: StepBack | undefined;
}

/** The newest checkpoint was not what the tables hold: everything above an older one is done again. */
export interface StepBack extends RowDifference {
  readonly fromHeight: number;
  readonly toHeight: number;
}

/** The outcome of a loss that no step back mends: the modules' rows are gone, and are derived again from stored facts. */
type WithoutModules = Pick<Checkpoint, 'generations' | 'tableGenerations'>;
const NO_MODULES: WithoutModules = { generations: new Map(), tableGenerations: new Map() };

/**
 * Deletes what a commit that was cut short left above the newest checkpoint, and generations that it does not name. When the tables' row counts differ from
 * the checkpoint's, it steps back to the newest one whose counts agree and deletes the rest. The checkpoints go
 * first: killed in between, the next start finds rows above the checkpoint, which is the ordinary case.
 *
 * Where no older checkpoint of the same generations agrees in all tables, the newest that agrees in those that hold what
 * the chain has told is taken, without modules: whoever has derivations makes them again from there.
 *
 * Errors: store_damaged with the table's name and both numbers when none of the last 100 checkpoints agrees.
 */
export async function recoverStore(store: Store, step: Step = noStep): Promise<Recovery> {
  const [newest, ...older] = await readCheckpoints(store, MAX_CHECKPOINTS);
  const derived = await generationTables(store);
  const tables = await heightTables(store, derived);
  if (newest !== undefined) await dropOtherGenerations(store, newest, step, derived);
  const deleted = await repairAboveCheckpoint(store, tables, newest?.height, step);
  step('repair:compare');
  const difference = newest === undefined ? undefined : await findDifference(store, newest);
  if (newest === undefined || difference === undefined) {
    return { checkpoint: newest, deletedRows: total(deleted), stepBack: undefined };
  }
  const sound = await findSoundCheckpoint(
    store,
    older.filter((each) => hasSameModules(each, newest)),
  );
  const target = sound ?? (await findSoundFacts(store, [newest, ...older]));
  if (target === undefined) throw damaged(newest, difference, older.length);
  step('step-back:checkpoints');
  await deleteCheckpointsAbove(store, target.height);
  if (sound === undefined) {
    step('step-back:modules');
    await replaceCheckpoint(store, target);
    await dropOtherGenerations(store, target, step, derived);
  }
  step('step-back:rows');
  const above = await repairAboveCheckpoint(store, tables, target.height, step);
  return {
    checkpoint: target,
    deletedRows: total(deleted) + total(above),
    stepBack: { ...difference, fromHeight: newest.height, toHeight: target.height },
  };
}

function hasSameModules(a: Checkpoint, b: Checkpoint): boolean {
  const print = ({ generations, tableGenerations }: Checkpoint) =>
    JSON.stringify([[...generations].sort(), [...tableGenerations].sort()]);
  return print(a) === print(b);
}

/** The newest checkpoint whose tables agree but for those of modules, which it then does not name any more. */
async function findSoundFacts(
  store: Store,
  checkpoints: readonly Checkpoint[],
): Promise<Checkpoint | undefined> {
  const withoutModules = checkpoints.map((checkpoint) => ({
    ...checkpoint,
    ...NO_MODULES,
    rows: new Map([...checkpoint.rows].filter(([table]) => countedRows(checkpoint, table) === undefined)),
  }));
  return findSoundCheckpoint(store, withoutModules);
}

/**
 * Brings a sound store back to its newest checkpoint at or below a height; what lies above it is indexed again by the
 * next run. Killed in between, the next start finishes it. Returns that checkpoint, and the rows that are gone.
 *
 * Errors: config_invalid where no checkpoint is so low, or the store has none.
 */
export async function rewindStore(
  store: Store,
  height: number,
  step: Step = noStep,
): Promise<{ readonly checkpoint: Checkpoint; readonly deletedRows: number }> {
  const [target] = await readCheckpoints(store, 1, height);
  if (target === undefined) {
    throw new StrataError(
      'config_invalid',
      `The store has no checkpoint at or below height ${height}: index into a new one`,
    );
  }
  const [newest = target] = await readCheckpoints(store, 1);
  const checkpoint = hasSameModules(newest, target) ? target : await withModulesOf(store, target, newest);
  if (checkpoint !== target) await replaceCheckpoint(store, checkpoint);
  step('step-back:checkpoints');
  await deleteCheckpointsAbove(store, target.height);
  step('step-back:rows');
  const deleted = await repairAboveCheckpoint(store, await heightTables(store), target.height, step);
  return { checkpoint, deletedRows: total(deleted) };
}

/**
 * The generations that an older checkpoint names may be gone. The state as of its height is in the versions of those
 * that the newest one names, as in those that it had itself.
 */
async function withModulesOf(store: Store, target: Checkpoint, newest: Checkpoint): Promise<Checkpoint> {
  const { generations, tableGenerations } = newest;
  const named = { ...target, generations, tableGenerations };
  const facts = [...target.rows].filter(([table]) => countedRows(target, table) === undefined);
  const derived = [...newest.rows.keys()].filter((table) => countedRows(newest, table) !== undefined);
  const counts = await countRows(
    store,
    derived,
    (table) => `height <= ${uintLiteral(target.height)} AND ${exactRows(named, table) ?? '1'}`,
  );
  return { ...named, rows: new Map([...facts, ...counts]) };
}

function damaged(newest: Checkpoint, { table, found, expected }: RowDifference, older: number): StrataError {
  const others = older === 0 ? 'there is none before it' : `none of the ${older} before it agrees either`;
  return new StrataError(
    'store_damaged',
    `Table ${table} has ${found} rows, and the checkpoint at height ${newest.height} says ${expected}; ${others}. ` +
      'Restore the store from a backup, or index into a new one',
  );
}

function total(rows: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of rows.values()) sum += count;
  return sum;
}
