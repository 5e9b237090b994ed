import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import type { DerivedTable } from '../core/table.ts';
import { type CheckedBackup, NAME_INSIDE } from './backup-folder.ts';
import { checkpointsFrom, deleteCheckpointsAbove, readCheckpoint } from './checkpoints.ts';
import { UNSAVED_TABLES } from './cursor-keys.ts';
import { type RangeDigest, rangeDigests } from './digests.ts';
import { shorten } from './engine-error.ts';
import { readFacts, writeFacts } from './facts.ts';
import {
  applyMigrations,
  checkReadable,
  checkVersion,
  loadMigrations,
  migrate,
  readSchemaVersion,
  storeEmpty,
} from './migrations.ts';
import { prepareModuleTables } from './module-tables.ts';
import { recoverStore } from './recovery.ts';
import { identifier, quote, truncateTable } from './sql.ts';
import type { Store } from './store.ts';

/**
 * Backups by ClickHouse's own BACKUP and RESTORE. A store may be written while it is backed up: the newest checkpoint
 * is read first, so that all rows at or below it are in the backup. A restore removes what lies above it, as a start
 * does after a kill.
 */

/** A checked folder of this machine, or a place that only the engine can read: a path, or a disk of a server's. */
export type BackupPlace = CheckedBackup | EnginePlace;
export type EnginePlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'disk'; readonly disk: string; readonly path: string };

/** What a backup holds: the last line of `strata digest` for its checkpoint. */
export type BackupContent = RangeDigest;

/** The fact that tells a restored store what it was backed up at. */
const FACT = 'backup';
const FACTS = 'facts';
const POLL_MS = 100;

/**
 * Backs up the session's database as it is at its newest checkpoint. Writes one fact, the checkpoint's height and
 * digest, before.
 *
 * Errors: store_empty; store_damaged when the store's own row counts or digests do not hold; store_query_failed when
 * the engine cannot write there; backup_invalid when the store stepped back below the checkpoint meanwhile (a start
 * after a power failure).
 */
export async function backupStore(
  store: Store,
  storeName: string,
  place: EnginePlace,
): Promise<BackupContent> {
  await checkReadable(store, storeName);
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw storeEmpty(storeName);
  const content = await wholeDigest(store, checkpoint);
  if (content === undefined) throw storeEmpty(storeName);
  await writeFacts(store, new Map([[FACT, JSON.stringify(content)]]));
  const database = await currentDatabase(store);
  const unsaved = UNSAVED_TABLES.map((name) => `${identifier(database)}.${identifier(name)}`).join(', ');
  await runToEnd(
    store,
    `BACKUP DATABASE ${identifier(database)} AS ${identifier(NAME_INSIDE)} EXCEPT TABLES ${unsaved} TO ${placeSql(place)}`,
    'the backup',
  );
  if ((await checkpointsFrom(store, content.toHeight)).count === 0) {
    throw new StrataError(
      'backup_invalid',
      `${storeName} stepped back below height ${content.toHeight} while it was backed up: do it again`,
    );
  }
  return content;
}

/**
 * Restores a backup into the session's database, which must be empty. Strata makes the schema by its own migrations and
 * takes rows alone from the backup, so that no definition of the backup runs. Then it brings the store to this version's
 * schema and back to the checkpoint at which the backup was taken, and verifies row counts and digest.
 *
 * `modules` are the tables of all modules: Strata's own, then those of `--modules`.
 *
 * Errors: store_not_empty; backup_invalid when there is none at the place, it is no whole one, or what came out is
 * not what went in; config_invalid when it has rows of a module that was not named; store_newer_schema.
 */
export async function restoreStore(
  store: Store,
  storeName: string,
  place: BackupPlace,
  modules: readonly DerivedTable[] = [],
): Promise<BackupContent> {
  await checkEmpty(store, storeName);
  const restore: Restore = { store, storeName, place, database: await currentDatabase(store) };
  const facts = await restoreSchema(restore);
  const content = readContent(facts.get(FACT));
  if (content === undefined) {
    throw new StrataError('backup_invalid', `What was restored into ${storeName} is no backup of a store`);
  }
  const tables = await tablesWithoutRows(store);
  await restoreRows(
    restore,
    tables.filter((table) => !UNSAVED_TABLES.includes(table)),
  );
  await migrate(store);
  await prepareModuleTables(store, modules);
  await restoreModules(restore, modules);
  await deleteCheckpointsAbove(store, content.toHeight);
  await checkModulesNamed(store);
  const { checkpoint } = await recoverStore(store);
  const found = checkpoint === undefined ? undefined : await wholeDigest(store, checkpoint);
  if (found?.toHeight !== content.toHeight || found.sha256 !== content.sha256) {
    throw new StrataError(
      'backup_invalid',
      `The backup was taken at height ${content.toHeight} with digest ${content.sha256}, and what was restored into ` +
        `${storeName} has height ${found?.toHeight ?? 0} and ${found?.sha256 ?? 'no digest'}: do not use it`,
    );
  }
  return content;
}

interface Restore {
  readonly store: Store;
  readonly storeName: string;
  readonly place: BackupPlace;
  readonly database: string;
}

/** Makes the schema of the version that the backup's facts name, with no rows but these facts, and returns them. */
async function restoreSchema(restore: Restore): Promise<ReadonlyMap<string, string>> {
  const { store } = restore;
  const migrations = await loadMigrations();
  const first = migrations[0]?.version ?? 0;
  await applyMigrations(store, migrations, 0, first);
  await store.command(truncateTable(FACTS));
  await restoreRows(restore, [FACTS]);
  const version = await readSchemaVersion(store);
  checkVersion('The backup', version, migrations);
  const facts = await readFacts(store);
  // each migration writes its version too, and the last one is the backup's
  await applyMigrations(store, migrations, first, version);
  return facts;
}

/** A module that joined after the backup has no rows in it: its tables stay empty. */
async function restoreModules(restore: Restore, modules: readonly DerivedTable[]): Promise<void> {
  const names = modules.map(({ name }) => name);
  if (names.length === 0 || (await hasRestored(restore, names))) return;
  for (const name of names) await hasRestored(restore, [name]);
}

/** False, and nothing restored, where the backup lacks one of the tables. */
async function hasRestored(restore: Restore, tables: readonly string[]): Promise<boolean> {
  try {
    await restoreRows(restore, tables);
    return true;
  } catch (error) {
    if (!(error instanceof StrataError) || !error.message.includes('(BACKUP_ENTRY_NOT_FOUND)')) throw error;
    return false;
  }
}

/**
 * Into tables that are there. Without `create_table` the engine reads definitions of the backup only to compare them;
 * they differ in settings that Strata changes while it runs.
 */
async function restoreRows({ store, storeName, place, database }: Restore, tables: readonly string[]) {
  const list = tables.map((table) => {
    const name = identifier(table);
    return `TABLE ${identifier(NAME_INSIDE)}.${name} AS ${identifier(database)}.${name}`;
  });
  await runToEnd(
    store,
    `RESTORE ${list.join(', ')} FROM ${placeSql(place)} SETTINGS create_table = 0, allow_different_table_def = 1`,
    'the restore',
  ).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StrataError('backup_invalid', `Nothing was restored into ${storeName}: ${reason}`, { cause });
  });
}

/** Tables that hold rows of their own, but for the facts. */
async function tablesWithoutRows(store: Store): Promise<readonly string[]> {
  const rows = new RowReader(
    await store.query(`SELECT name FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != ${quote(FACTS)} ORDER BY name`),
  );
  const tables: string[] = [];
  while (!rows.done) tables.push(rows.string());
  return tables;
}

/** Errors: config_invalid where the newest checkpoint counts rows of a table that is not there. */
async function checkModulesNamed(store: Store): Promise<void> {
  const checkpoint = await readCheckpoint(store);
  const tables = new Set(await tablesWithoutRows(store));
  const missing = [...(checkpoint?.rows.keys() ?? [])].find((table) => !tables.has(table));
  if (missing === undefined) return;
  throw new StrataError(
    'config_invalid',
    `the backup has rows of the table ${missing}, which is none of Strata's: give its module with --modules`,
  );
}

/** Errors: store_not_empty. */
async function checkEmpty(store: Store, storeName: string): Promise<void> {
  const tables = new RowReader(
    await store.query('SELECT count() FROM system.tables WHERE database = currentDatabase()'),
  ).u64();
  if (tables === 0) return;
  throw new StrataError('store_not_empty', `${storeName} already has ${tables} tables`);
}

async function wholeDigest(
  store: Store,
  checkpoint: NonNullable<Parameters<typeof rangeDigests>[1]>,
): Promise<BackupContent | undefined> {
  let last: RangeDigest | undefined;
  for await (const digest of rangeDigests(store, checkpoint)) last = digest;
  return last;
}

async function currentDatabase(store: Store): Promise<string> {
  return new RowReader(await store.query('SELECT currentDatabase()')).string();
}

function placeSql(place: BackupPlace): string {
  return place.kind === 'disk'
    ? `Disk(${quote(place.disk)}, ${quote(place.path)})`
    : `File(${quote(place.path)})`;
}

/**
 * In the background and asked after, as a statement's deadline is no measure for a backup: it ends with the engine's
 * word that it is done or has failed, or with the engine. Errors: store_query_failed.
 */
async function runToEnd(store: Store, sql: string, what: string): Promise<void> {
  const id = `strata-${process.pid}-${Date.now()}-${++statements}`;
  const settings = `id = ${quote(id)}`;
  await store.command(`${sql}${sql.includes(' SETTINGS ') ? ', ' : ' SETTINGS '}${settings} ASYNC`);
  for (;;) {
    const rows = new RowReader(
      await store.query(`SELECT toString(status), error FROM system.backups WHERE id = ${quote(id)}`),
    );
    const status = rows.done ? 'UNKNOWN' : rows.string();
    const error = rows.done ? 'the engine does not know of it any more' : rows.string();
    if (status === 'BACKUP_CREATED' || status === 'RESTORED') return;
    if (status !== 'CREATING_BACKUP' && status !== 'RESTORING') {
      throw new StrataError(
        'store_query_failed',
        `${what} failed: ${shorten(error.split('Stack trace')[0] ?? '')}`,
      );
    }
    await systemClock.sleep(POLL_MS);
  }
}

let statements = 0;

/** Undefined for what is none. */
function readContent(text: string | undefined): BackupContent | undefined {
  if (text === undefined) return undefined;
  try {
    const { fromHeight, toHeight, sha256 } = JSON.parse(text) as Partial<BackupContent>;
    if (typeof fromHeight !== 'number' || typeof toHeight !== 'number' || typeof sha256 !== 'string')
      return undefined;
    return { fromHeight, toHeight, sha256 };
  } catch {
    // a fact of that name in another form: the caller says what is wrong
    return undefined;
  }
}
