import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readSchemaVersion } from '../../src/store/migrations.ts';
import { countRows } from '../../src/store/repair.ts';
import type { StoreFactory } from '../../src/store/store.ts';

/** The fixture of the first schema: test/fixtures/schema-0001/README.md says how it came about. */

const FOLDER = new URL('../fixtures/schema-0001/', import.meta.url);

interface OldTable {
  readonly columns: readonly string[];
  readonly rows: number;
}

export const OLD_HEIGHT = 260;
export const OLD_DIGEST = '1 260 1862cb77e07a0559356f8a703934100e694b725aaac80a0406e31cfb58b2dc5a';

export const OLD_TABLES: Readonly<Record<string, OldTable>> = JSON.parse(
  readFileSync(new URL('tables.json', FOLDER), 'utf8'),
) as Record<string, OldTable>;

/** Makes an empty store one of schema 1 with its data; views come last, or they would fill their targets again. */
export async function fillOldStore(stores: StoreFactory): Promise<void> {
  const store = await stores.open('old');
  const statements = readFileSync(new URL('schema.sql', FOLDER), 'utf8').split(/;\n/).filter(Boolean);
  const isView = (sql: string): boolean => /^\s*CREATE (MATERIALIZED )?VIEW/.test(sql);
  for (const sql of statements.filter((statement) => !isView(statement))) await store.command(sql);
  for (const [table, { columns }] of Object.entries(OLD_TABLES)) {
    const path = join(stores.spoolFolder, `old-${table}.native`);
    writeFileSync(path, gunzipSync(readFileSync(new URL(`${table}.native.gz`, FOLDER))));
    await store.insertNativeFiles(table, columns, [path]);
  }
  for (const sql of statements.filter(isView)) await store.command(sql);
  const rows = Object.fromEntries(await countRows(store, Object.keys(OLD_TABLES)));
  const expected = Object.fromEntries(Object.entries(OLD_TABLES).map(([table, told]) => [table, told.rows]));
  const version = await readSchemaVersion(store);
  await store.close();
  if (version !== 1) throw new Error(`the old store has schema ${version}`);
  if (JSON.stringify(rows) !== JSON.stringify(expected))
    throw new Error(`the old store came out otherwise: ${JSON.stringify(rows)}`);
}
