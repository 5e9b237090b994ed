import { systemClock } from '../core/clock.ts';
import { StrataError } from '../core/errors.ts';
import { RowReader } from '../core/rowbinary.ts';
import { checkpointsFrom, deleteCheckpointsAbove, readCheckpoint } from './checkpoints.ts';
import { UNSAVED_TABLES } from './cursor-keys.ts';
import { type RangeDigest, rangeDigests } from './digests.ts';
import { shorten } from './engine-error.ts';
import { readFacts, writeFacts } from './facts.ts';
import { checkReadable, migrate, storeEmpty } from './migrations.ts';
import { recoverStore } from './recovery.ts';
import { identifier, quote } from './sql.ts';
import type { Store } from './store.ts';

/**
 * Backups by ClickHouse's own BACKUP and RESTORE. A store may be written while it is backed up: the newest checkpoint
 * is read first, so that all rows at or below it are in the backup, and what lies above it goes after a restore, as
 * it does after a kill.
 */

/** A path that the engine itself reaches, or one on a disk that a server's configuration names. */
export type BackupPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'disk'; readonly disk: string; readonly path: string };

/** What a backup holds: the last line of `strata digest` for its checkpoint. */
export type BackupContent = RangeDigest;

/** The database's name inside a backup, so that one store's can be restored into another's. */
const NAME_INSIDE = 'strata';
/** The fact that tells a restored store what it was backed up at. */
const FACT = 'backup';
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
  place: BackupPlace,
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
 * Restores a backup into the session's database, which must be empty; brings it to this version's schema and back to
 * the checkpoint at which it was taken, and verifies row counts and digest.
 *
 * Errors: store_not_empty; backup_invalid when there is none at the place, it is no whole one, or what came out is
 * not what went in; store_newer_schema.
 */
export async function restoreStore(
  store: Store,
  storeName: string,
  place: BackupPlace,
): Promise<BackupContent> {
  await checkEmpty(store, storeName);
  const database = await currentDatabase(store);
  await runToEnd(
    store,
    `RESTORE DATABASE ${identifier(NAME_INSIDE)} AS ${identifier(database)} FROM ${placeSql(place)} SETTINGS allow_different_database_def = 1`,
    'the restore',
  ).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StrataError('backup_invalid', `Nothing was restored into ${storeName}: ${reason}`, { cause });
  });
  const content = readContent((await readFacts(store)).get(FACT));
  if (content === undefined) {
    throw new StrataError('backup_invalid', `What was restored into ${storeName} is no backup of a store`);
  }
  await migrate(store);
  await deleteCheckpointsAbove(store, content.toHeight);
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
  return place.kind === 'file'
    ? `File(${quote(place.path)})`
    : `Disk(${quote(place.disk)}, ${quote(place.path)})`;
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
