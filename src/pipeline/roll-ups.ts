import { RowReader } from '../core/rowbinary.ts';
import type { Derivation } from '../derive/derivation.ts';
import { countRows } from '../store/repair.ts';
import { identifier, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

const COUNT_SECONDS = 600;

/**
 * Adds what modules sum up over the ranges of heights that end above one height and not above another (RollUp). Every
 * row up to `toHeight` must be there. Returns the rows that it added, and those that views have added, by table; modules
 * without a generation have none. `inserted`: the tables that these heights have rows in, where that is known. Views of a
 * module without rows are not counted.
 */
export async function addRollUps(
  store: Store,
  derivations: readonly Pick<Derivation, 'module' | 'rollUps' | 'tables'>[],
  generations: ReadonlyMap<string, number>,
  fromHeight: number,
  toHeight: number,
  inserted?: Pick<ReadonlyMap<string, unknown>, 'has'>,
): Promise<ReadonlyMap<string, number>> {
  const added = new Map<string, number>();
  const ofViews = new Map<string, number>();
  for (const { module, rollUps = [], tables } of derivations) {
    const generation = generations.get(module);
    if (generation === undefined) continue;
    let hasRows = inserted === undefined || tables.some(({ name }) => inserted.has(name));
    for (const { table, statements } of rollUps) {
      for (const statement of statements(generation, fromHeight, toHeight)) {
        await store.command(statement.insert);
        const count = `SELECT count() FROM ${identifier(table.name)} WHERE ${statement.added}`;
        const rows = new RowReader(await store.query(count, { timeoutSeconds: COUNT_SECONDS })).u64();
        added.set(table.name, (added.get(table.name) ?? 0) + rows);
        hasRows = true;
      }
    }
    for (const { name, facts } of tables) {
      if (facts.filledBy === undefined) continue;
      if (hasRows) ofViews.set(name, generation);
      else added.set(name, 0);
    }
  }
  const heights = `height > ${uintLiteral(fromHeight)} AND height <= ${uintLiteral(toHeight)}`;
  const condition = (table: string) => `generation = ${uintLiteral(ofViews.get(table) ?? 0)} AND ${heights}`;
  for (const [name, count] of await countRows(store, [...ofViews.keys()], condition)) added.set(name, count);
  return added;
}
