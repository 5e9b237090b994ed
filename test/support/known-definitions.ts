import { RowReader } from '../../src/core/rowbinary.ts';
import { loadMigrations } from '../../src/store/migrations.ts';
import type { Store } from '../../src/store/store.ts';

/** Applies all migrations to an empty store. Returns every definition that was there after any of their statements. */
export async function definitionsOfMigrations(store: Store): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { statements } of await loadMigrations()) {
    for (const statement of statements) {
      await store.command(statement);
      for (const definition of await readDefinitions(store)) found.add(definition);
    }
  }
  return [...found];
}

async function readDefinitions(store: Store): Promise<readonly string[]> {
  const rows = new RowReader(
    await store.query(`SELECT replaceAll(create_table_query, currentDatabase() || '.', '') FROM system.tables
WHERE database = currentDatabase() ORDER BY name`),
  );
  const texts: string[] = [];
  while (!rows.done) texts.push(rows.string());
  return texts;
}
