import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import { identifier, quote, uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/** Values of MergeTree settings by name; undefined takes the engine's default back. */
export type TableSettings = Readonly<Record<string, number | undefined>>;

/**
 * Brings settings of tables to these values where they stand otherwise. A setting stays with its table, whoever opens
 * the store next; rows and parts are not touched. Errors: store_query_failed; internal for a table that is not there.
 */
export async function alignTableSettings(
  store: Store,
  tables: readonly string[],
  settings: TableSettings,
): Promise<void> {
  const engines = await readEngines(store, tables);
  for (const table of tables) {
    const engine = engines.get(table);
    if (engine === undefined) throw new StrataError('internal', `there is no table ${table}`);
    const changes = Object.entries(settings).filter(
      ([name, value]) => settingOf(engine, name) !== (value === undefined ? undefined : String(value)),
    );
    const set = changes.flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} = ${uintLiteral(value)}`],
    );
    const reset = changes.flatMap(([name, value]) => (value === undefined ? [name] : []));
    const alter = `ALTER TABLE ${identifier(table)}`;
    if (set.length > 0) await store.command(`${alter} MODIFY SETTING ${set.join(', ')}`);
    if (reset.length > 0) await store.command(`${alter} RESET SETTING ${reset.join(', ')}`);
  }
}

async function readEngines(store: Store, tables: readonly string[]): Promise<Map<string, string>> {
  const names = tables.map(quote).join(', ');
  const rows = new RowReader(
    await store.query(
      `SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND name IN (${names})`,
    ),
  );
  const engines = new Map<string, string>();
  while (!rows.done) {
    const name = rows.string();
    engines.set(name, rows.string());
  }
  return engines;
}

/** What the table itself says, not the engine's default. */
function settingOf(engine: string, name: string): string | undefined {
  return new RegExp(`[ ,]${name} = ([^,]+)`).exec(engine)?.[1];
}
