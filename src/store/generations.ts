import { RowReader } from '../core/rowbinary.ts';
import { noStep, type Step } from '../core/steps.ts';
import { SHARED_TABLES } from '../core/tables.ts';
import type { Checkpoint } from './checkpoints.ts';
import { identifier, quote, uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/**
 * Generations: every row of a module's table begins with the number of the derivation that made it, and tables are
 * partitioned by it. A checkpoint names the generation of each module and of each of its tables; rows of another are
 * those of a derivation that was cut short, or that another has replaced.
 */

const SHARED_TABLE_NAMES = SHARED_TABLES.map(({ name }) => name);

/** No rows carry it. */
const NO_GENERATION = 0;

type Generations = Pick<Checkpoint, 'generations' | 'tableGenerations'>;

/** The tables of modules, shared ones and targets of views included, by name. Views have the column too, and are none. */
export async function generationTables(store: Store): Promise<readonly string[]> {
  const rows = new RowReader(
    await store.query(`SELECT table FROM system.columns
WHERE database = currentDatabase() AND name = 'generation' AND table NOT LIKE '%\\_local'
AND table NOT IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%View')
ORDER BY table`),
  );
  const tables: string[] = [];
  while (!rows.done) tables.push(rows.string());
  return tables;
}

/** The condition on the rows of a table that a checkpoint counts; undefined where it counts all. */
export function countedRows(
  { generations, tableGenerations }: Generations,
  table: string,
): string | undefined {
  const own = tableGenerations.get(table);
  if (own !== undefined) return `generation = ${uintLiteral(own)}`;
  if (!SHARED_TABLE_NAMES.includes(table)) return undefined;
  const distinct = new Set(generations.values());
  // a partition of one generation is counted without a look at its rows
  if (distinct.size <= 1) return `generation = ${uintLiteral([...distinct][0] ?? NO_GENERATION)}`;
  return ofModules(generations);
}

/** As countedRows, also before rows of a module that the checkpoint names no longer are dropped. */
export function exactRows(checkpoint: Generations, table: string): string | undefined {
  const isShared = SHARED_TABLE_NAMES.includes(table) && checkpoint.generations.size > 0;
  return isShared ? ofModules(checkpoint.generations) : countedRows(checkpoint, table);
}

function ofModules(generations: ReadonlyMap<string, number>): string {
  const pairs = [...generations].map(
    ([module, generation]) => `(${quote(module)}, ${uintLiteral(generation)})`,
  );
  return `(module, generation) IN (${pairs.join(', ')})`;
}

/** A number that no derivation of this store has had. */
export async function nextGeneration(store: Store): Promise<number> {
  const named = new RowReader(
    await store.query('SELECT max(arrayMax(arrayConcat([0], mapValues(generations)))) FROM checkpoints'),
  ).u64();
  let newest = named;
  for (const [, generation] of await generationsIn(store, await generationTables(store))) {
    newest = Math.max(newest, generation);
  }
  return newest + 1;
}

/**
 * Drops the rows of every generation that is not the checkpoint's: partition by partition, and where one is shared with
 * a module that goes on using it, row by row. Killed in between, it is done again. Returns whether there were any.
 * `tables` are those of generationTables(), which it asks for where they are not given.
 */
export async function dropOtherGenerations(
  store: Store,
  checkpoint: Generations,
  step: Step = noStep,
  tables?: readonly string[],
): Promise<boolean> {
  let hasDropped = false;
  for (const [table, generation] of await generationsIn(store, tables ?? (await generationTables(store)))) {
    const drop = await dropStatement(store, checkpoint, table, generation);
    if (drop === undefined) continue;
    step('generation:drop', table);
    await store.command(drop);
    hasDropped = true;
  }
  return hasDropped;
}

async function dropStatement(
  store: Store,
  { generations, tableGenerations }: Generations,
  table: string,
  generation: number,
): Promise<string | undefined> {
  const whole =
    `ALTER TABLE ${identifier(table)} DROP PARTITION ${uintLiteral(generation)} ` +
    'SETTINGS max_partition_size_to_drop = 0';
  if (!SHARED_TABLE_NAMES.includes(table)) {
    return tableGenerations.get(table) === generation ? undefined : whole;
  }
  const users = [...generations].filter(([, used]) => used === generation).map(([module]) => quote(module));
  if (users.length === 0) return whole;
  const others = `generation = ${uintLiteral(generation)} AND module NOT IN (${users.join(', ')})`;
  const rows = new RowReader(await store.query(`SELECT count() FROM ${identifier(table)} WHERE ${others}`));
  if (rows.u64() === 0) return undefined;
  return `DELETE FROM ${identifier(table)} WHERE ${others} SETTINGS lightweight_deletes_sync = 2`;
}

/** The generations that have rows in each of the tables, in order; one statement, as every start asks. */
async function generationsIn(
  store: Store,
  tables: readonly string[],
): Promise<readonly (readonly [table: string, generation: number])[]> {
  if (tables.length === 0) return [];
  const selects = tables.map(
    (table, i) => `SELECT toUInt32(${i}) AS i, generation FROM ${identifier(table)} GROUP BY generation`,
  );
  const rows = new RowReader(await store.query(selects.join('\nUNION ALL\n')));
  const found: (readonly [table: number, generation: number])[] = [];
  while (!rows.done) found.push([rows.u32(), rows.u32()]);
  return found
    .sort(([a, one], [b, other]) => a - b || one - other)
    .map(([i, generation]) => [tables[i] ?? '', generation]);
}
