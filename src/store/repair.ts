import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import { noStep, type Step } from '../core/steps.ts';
import { BAD_BLOCKS, DECODED_TABLES, RECONCILIATION_TABLES } from '../core/tables.ts';
import type { Checkpoint } from './checkpoints.ts';
import { countedRows, generationTables } from './generations.ts';
import { SEALED_COUNTS } from './seals.ts';
import { identifier, quote, truncateTable, uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/**
 * ClickHouse commits per insert and table, and neither several inserts nor an insert and its views together are
 * atomic. So a commit that was cut short is undone at the next start: every row above the checkpoint goes.
 */

/** Targets of the materialised views over txs; deleting from txs does not touch them. */
export const VIEW_TARGETS: readonly string[] = ['txs_by_method', 'txs_per_method', 'txs_per_day'];

/** Every table whose rows belong to a height. */
export const HEIGHT_TABLES: readonly string[] = [
  ...DECODED_TABLES.map((table) => table.name),
  ...VIEW_TARGETS,
  SEALED_COUNTS,
];

/** All of these, the bad blocks, and every table of a module: a row with a generation has a height too. `derived`: those of generationTables(). */
export async function heightTables(store: Store, derived?: readonly string[]): Promise<readonly string[]> {
  return [
    ...HEIGHT_TABLES,
    BAD_BLOCKS.name,
    ...RECONCILIATION_TABLES.map(({ name }) => name),
    ...(derived ?? (await generationTables(store))),
  ];
}

/**
 * Deletes what lies above the checkpoint, everything when there is none. Returns the deleted rows of each table
 * that had any.
 *
 * Errors: store_damaged when rows are still there afterwards.
 */
export async function repairAboveCheckpoint(
  store: Store,
  tables: readonly string[],
  checkpointHeight: number | undefined,
  step: Step = noStep,
): Promise<Map<string, number>> {
  const above = checkpointHeight === undefined ? undefined : `height > ${uintLiteral(checkpointHeight)}`;
  const deleted = new Map([...(await countRows(store, tables, above))].filter(([, count]) => count > 0));
  for (const table of deleted.keys()) {
    step('repair:delete', table);
    await store.command(
      above === undefined
        ? truncateTable(table)
        : `DELETE FROM ${identifier(table)} WHERE ${above} SETTINGS lightweight_deletes_sync = 2`,
    );
  }
  if (deleted.size === 0) return deleted;
  step('repair:verify');
  for (const [table, count] of await countRows(store, [...deleted.keys()], above)) {
    if (count === 0) continue;
    throw new StrataError(
      'store_damaged',
      `Table ${table} still has ${count} rows above the checkpoint ${checkpointHeight ?? '(none)'} after their deletion`,
    );
  }
  return deleted;
}

/** A table whose rows are not those that a checkpoint counted. */
export interface RowDifference {
  readonly table: string;
  readonly expected: number;
  readonly found: number;
}

/** What of a checkpoint says which rows it counts. */
export type CountedRows = Pick<Checkpoint, 'rows' | 'generations' | 'tableGenerations'>;

/** The first table that differs from the counts of the last commit. Call it after repairAboveCheckpoint. */
export async function findDifference(
  store: Store,
  checkpoint: CountedRows,
): Promise<RowDifference | undefined> {
  const counted = (table: string) => countedRows(checkpoint, table);
  return firstDifference(checkpoint, await countRows(store, [...checkpoint.rows.keys()], counted));
}

/** As findDifference, without the rows above the checkpoint: those of a commit that another process has in hand. */
export async function findDifferenceUpTo(
  store: Store,
  checkpoint: CountedRows & Pick<Checkpoint, 'height'>,
): Promise<RowDifference | undefined> {
  const counted = (table: string) =>
    allOf(`height <= ${uintLiteral(checkpoint.height)}`, countedRows(checkpoint, table));
  return firstDifference(checkpoint, await countRows(store, [...checkpoint.rows.keys()], counted));
}

function firstDifference(
  { rows }: Pick<Checkpoint, 'rows'>,
  found: ReadonlyMap<string, number>,
): RowDifference | undefined {
  for (const [table, expected] of rows) {
    const count = found.get(table) ?? 0;
    if (count !== expected) return { table, expected, found: count };
  }
  return undefined;
}

/** The newest of the checkpoints whose counts are those of the rows at or below it; one scan of heights a table. */
export async function findSoundCheckpoint(
  store: Store,
  checkpoints: readonly Checkpoint[],
): Promise<Checkpoint | undefined> {
  const counts = checkpoints.map(() => new Map<string, number>());
  for (const table of new Set(checkpoints.flatMap(({ rows }) => [...rows.keys()]))) {
    const columns = checkpoints.map(
      (checkpoint) =>
        `countIf(${allOf(`height <= ${uintLiteral(checkpoint.height)}`, countedRows(checkpoint, table))})`,
    );
    const rows = new RowReader(
      await store.query(`SELECT ${columns.join(', ')} FROM ${identifier(table)}`, { timeoutSeconds: 600 }),
    );
    for (const count of counts) count.set(table, rows.u64());
  }
  return checkpoints.find(
    (checkpoint, i) => firstDifference(checkpoint, counts[i] ?? new Map()) === undefined,
  );
}

/** Rows of each table, in the order of `tables`; those alone that match `condition`, or the table's, when it is given. */
export async function countRows(
  store: Store,
  tables: readonly string[],
  condition?: string | ((table: string) => string | undefined),
): Promise<Map<string, number>> {
  const counts = new Map(tables.map((table) => [table, 0]));
  if (tables.length === 0) return counts;
  const selects = tables.map((table) => {
    const matching = typeof condition === 'function' ? condition(table) : condition;
    const where = matching === undefined ? '' : ` WHERE ${matching}`;
    return `SELECT ${quote(table)}, count() FROM ${identifier(table)}${where}`;
  });
  const rows = new RowReader(await store.query(selects.join('\nUNION ALL\n'), { timeoutSeconds: 600 }));
  while (!rows.done) {
    const table = rows.string();
    counts.set(table, rows.u64());
  }
  return counts;
}

function allOf(condition: string, other: string | undefined): string {
  return other === undefined ? condition : `${condition} AND ${other}`;
}
