import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import { noStep, type Step } from '../core/steps.ts';
import type { Table } from '../core/table.ts';
import { BASE_TABLES } from '../core/tables.ts';
import { packageRoot } from './package-root.ts';
import type { Store } from './store.ts';
import { createStatements } from './table-ddl.ts';

/**
 * One folder of sql/: `0010_base` is version 10, the oldest that this Strata knows. It begins with the declared tables
 * (src/core/tables.ts), as they are today: a later migration finds them as declared in a new store, and changes them in an
 * older one. So each statement may run again, and on what is there already. Tables of modules are no migration's
 * (module-tables.ts).
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

export async function loadMigrations(
  sqlFolder: string = join(packageRoot(), 'sql'),
  base: readonly Table[] = BASE_TABLES,
): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const name of (await readdir(sqlFolder)).sort()) {
    const version = /^(\d{4})_/.exec(name)?.[1];
    if (version === undefined) continue;
    const folder = join(sqlFolder, name);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
    const statements = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const declared = migrations.length === 0 ? base.flatMap(createStatements) : [];
    migrations.push({ version: Number(version), name, statements: [...declared, ...statements] });
  }
  return migrations;
}

/**
 * Brings the store to the newest schema and returns its version. A migration's last statement records its version,
 * so one that was cut short runs again from its start.
 *
 * Errors: store_newer_schema, store_older_schema, before anything is changed.
 */
export async function migrate(
  store: Store,
  migrations?: readonly Migration[],
  step: Step = noStep,
): Promise<number> {
  const known = migrations ?? (await loadMigrations());
  const newest = known.at(-1)?.version ?? 0;
  const current = await readSchemaVersion(store);
  checkVersion('The store', current, known);
  await applyMigrations(store, known, current, newest, step);
  step('migrate:done');
  return newest;
}

/** Runs the migrations above one version up to another, whatever version the store says it has. */
export async function applyMigrations(
  store: Store,
  migrations: readonly Migration[],
  aboveVersion: number,
  toVersion: number,
  step: Step = noStep,
): Promise<void> {
  for (const { version, statements } of migrations) {
    if (version <= aboveVersion || version > toVersion) continue;
    for (const statement of statements) {
      step('migrate:statement');
      await store.command(statement);
    }
  }
}

/**
 * The schema version of a store that is only read.
 *
 * Errors: store_empty when nothing was ever indexed into it; store_newer_schema; store_older_schema, also where the next
 * process that indexes into it brings it to the newest.
 */
export async function checkReadable(
  store: Store,
  storeName: string,
  migrations?: readonly Migration[],
): Promise<number> {
  const version = await readSchemaVersion(store);
  if (version === 0) throw storeEmpty(storeName);
  const known = migrations ?? (await loadMigrations());
  checkVersion(`The store ${storeName}`, version, known);
  const newest = known.at(-1)?.version ?? 0;
  if (version === newest) return version;
  throw new StrataError(
    'store_older_schema',
    `The store ${storeName} has schema ${version}, and this Strata reads ${newest}: ` +
      'run `strata index` or `strata start` of this version on it first, which changes the schema',
  );
}

/** Errors: store_newer_schema; store_older_schema for what no migration begins from. Version 0 is an empty store's. */
export function checkVersion(what: string, version: number, migrations: readonly Migration[]): void {
  const [oldest, newest] = [migrations[0]?.version ?? 0, migrations.at(-1)?.version ?? 0];
  if (version > newest) {
    throw new StrataError(
      'store_newer_schema',
      `${what} has schema ${version} and this Strata knows schemas up to ${newest}: ` +
        'run the version of Strata that wrote it or a newer one, or use another data folder or database',
    );
  }
  if (version === 0 || version >= oldest) return;
  throw new StrataError(
    'store_older_schema',
    `${what} has schema ${version} and this Strata knows schemas from ${oldest} on: ` +
      'index the chain again into another data folder or database',
  );
}

export function storeEmpty(storeName: string): StrataError {
  return new StrataError('store_empty', `The store ${storeName} holds no chain yet`);
}

/** 0 for an empty store, or one whose first migration did not finish. */
export async function readSchemaVersion(store: Store): Promise<number> {
  const tables = new RowReader(
    await store.query(
      "SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'facts'",
    ),
  );
  if (tables.u64() === 0) return 0;
  const versions = new RowReader(
    await store.query("SELECT max(toUInt64OrZero(value)) FROM facts WHERE key = 'schema_version'"),
  );
  return versions.u64();
}

/** CREATE statements of every table and view, sorted by name, without the database: sql/schema.sql. */
export async function dumpSchema(store: Store): Promise<string> {
  const rows = new RowReader(
    await store.query(`SELECT currentDatabase(), formatQuery(create_table_query) FROM system.tables
WHERE database = currentDatabase() ORDER BY name`),
  );
  const statements: string[] = [];
  while (!rows.done) {
    const database = rows.string();
    statements.push(`${rows.string().replaceAll(`${database}.`, '')};\n`);
  }
  return statements.join('\n');
}
