import { StrataError } from 'strata-kit/errors';
import { selection } from '../core/reading.ts';
import type { ColumnOf, DerivedTable, RowOf } from '../core/table.ts';
import { uintLiteral } from '../store/sql.ts';
import type { RouteContext, Snapshot } from './route.ts';
import { readAll } from './rows.ts';

/** No rows carry it: what a snapshot gives for a module that is not derived. */
const NO_GENERATION = 0;

/**
 * The condition on rows of a module's table that an answer may see: its module's generation, at or below the snapshot.
 * `height`: an older one, as a cursor carries it.
 */
export function asOf(
  { generations, indexedHeight }: Pick<Snapshot, 'generations' | 'indexedHeight'>,
  { module }: Pick<DerivedTable, 'module'>,
  height: number = indexedHeight,
): string {
  const generation = generations.get(module) ?? NO_GENERATION;
  return `generation = ${uintLiteral(generation)} AND height <= ${uintLiteral(Math.min(height, indexedHeight))}`;
}

/**
 * As asOf, hidden from the primary key's analysis: for look-ups by a key that has the height behind what is asked for,
 * where the engine would go through every granule of the table instead of halving them.
 */
export function asOfUnindexed(
  { generations, indexedHeight }: Pick<Snapshot, 'generations' | 'indexedHeight'>,
  { module }: Pick<DerivedTable, 'module'>,
): string {
  const generation = generations.get(module) ?? NO_GENERATION;
  return `generation = ${uintLiteral(generation)} AND bitXor(height, 0) <= ${uintLiteral(indexedHeight)}`;
}

/** The message of an error that passes by itself: an API process that shows a newer block already made the cursor. */
export const NOT_SHOWN_YET = 'not shown yet';

/**
 * The height that a walk is as of, as its cursor carries it. Read as of less, its pages would not fit together.
 *
 * Errors: internal (NOT_SHOWN_YET, with the height), after which createApi reads the store's state and asks once more.
 */
export function walkHeight({ indexedHeight }: Pick<Snapshot, 'indexedHeight'>, height: number): number {
  if (height > indexedHeight) throw new StrataError('internal', NOT_SHOWN_YET, { height });
  return height;
}

/**
 * SELECT of the newest version of each record that matches, as of the snapshot: `columns` of a table, one row a key.
 * Big integers in `where` need their type (src/store/sql.ts).
 */
export function latestVersions(
  snapshot: Pick<Snapshot, 'generations' | 'indexedHeight'>,
  table: DerivedTable,
  columns: string,
  where: string,
  height?: number,
): string {
  const key = table.key.join(', ');
  return (
    `SELECT ${columns} FROM ${table.name} WHERE ${asOf(snapshot, table, height)} AND ${where} ` +
    `ORDER BY ${key}, height DESC LIMIT 1 BY ${key}`
  );
}

/** The newest version of each record that matches, as of the snapshot, as objects; see latestVersions. */
export async function latestRows<T extends DerivedTable, Name extends ColumnOf<T>>(
  { snapshot, query }: Pick<RouteContext, 'snapshot' | 'query'>,
  table: T,
  names: readonly Name[],
  where: string,
  height?: number,
): Promise<RowOf<T, Name>[]> {
  const { columns, read } = selection(table, names);
  return readAll(await query(latestVersions(snapshot, table, columns, where, height)), read);
}
