import { StrataError } from '../core/errors.ts';
import { DECODED_TABLES } from '../core/tables.ts';
import type { Checkpoint } from './checkpoints.ts';
import { RowReader } from './rowbinary.ts';
import { identifier, quote, uintLiteral } from './sql.ts';
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
];

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
): Promise<Map<string, number>> {
  const above = checkpointHeight === undefined ? undefined : `height > ${uintLiteral(checkpointHeight)}`;
  const deleted = new Map([...(await countRows(store, tables, above))].filter(([, count]) => count > 0));
  for (const table of deleted.keys()) {
    await store.command(
      above === undefined
        ? `TRUNCATE TABLE ${identifier(table)}`
        : `DELETE FROM ${identifier(table)} WHERE ${above} SETTINGS lightweight_deletes_sync = 2`,
    );
  }
  if (deleted.size === 0) return deleted;
  for (const [table, count] of await countRows(store, [...deleted.keys()], above)) {
    if (count === 0) continue;
    throw new StrataError(
      'store_damaged',
      `Table ${table} still has ${count} rows above the checkpoint ${checkpointHeight ?? '(none)'} after their deletion`,
    );
  }
  return deleted;
}

/**
 * Compares the tables with the counts that the last commit wrote. Call it after repairAboveCheckpoint.
 *
 * Errors: store_damaged with the table's name and both numbers: rows were lost or added behind Strata's back,
 * for example by a power failure.
 */
export async function compareRowCounts(
  store: Store,
  checkpoint: Pick<Checkpoint, 'height' | 'rows'>,
): Promise<void> {
  const found = await countRows(store, [...checkpoint.rows.keys()]);
  for (const [table, expected] of checkpoint.rows) {
    const count = found.get(table) ?? 0;
    if (count === expected) continue;
    throw new StrataError(
      'store_damaged',
      `Table ${table} has ${count} rows, and the checkpoint at height ${checkpoint.height} says ${expected}. ` +
        'Restore the store from a backup, or index into a new one',
    );
  }
}

/** Rows of each table, in the order of `tables`; those alone that match `condition` when it is given. */
export async function countRows(
  store: Store,
  tables: readonly string[],
  condition?: string,
): Promise<Map<string, number>> {
  const counts = new Map(tables.map((table) => [table, 0]));
  if (tables.length === 0) return counts;
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  const selects = tables.map((table) => `SELECT ${quote(table)}, count() FROM ${identifier(table)}${where}`);
  const rows = new RowReader(await store.query(selects.join('\nUNION ALL\n'), { timeoutSeconds: 600 }));
  while (!rows.done) {
    const table = rows.string();
    counts.set(table, rows.u64());
  }
  return counts;
}
