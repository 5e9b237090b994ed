import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ClickHouseClientConfigOptions, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { StrataError } from 'strata-kit/errors';
import { type Backend, columnList, createSession, INSERT_SETTINGS, readAll } from './clickhouse.ts';
import { hasNoRoom } from './disk.ts';
import { makeOwnFolder, removeLeftConfigs, withEngineConfig } from './engine-config.ts';
import { asEngineError, messageOf, queryFailed } from './engine-error.ts';
import { checkEngineFolder } from './engine-folder.ts';
import { noteEngine } from './engine-in-process.ts';
import { isProcessAlive } from './process-alive.ts';
import { identifier, quote } from './sql.ts';
import type { Store, StoreFactory } from './store.ts';

/**
 * chDB: ClickHouse inside this process. It is loaded when a store is opened, so that a process that uses a server
 * never maps its 550 MB. Only the main thread may load it (a worker thread dies at exit), and a process has one
 * data folder at a time.
 */

/** The engine would let each of these caches grow to 5 GB. */
const ENGINE_ARGUMENTS = [
  '--mark_cache_size=268435456',
  '--index_mark_cache_size=67108864',
  '--primary_index_cache_size=268435456',
];

/** The files say what they hold: with the table's structure instead, a column that a file lacks becomes zeros. */
const FILE_SETTINGS = 'use_structure_from_insertion_table_in_table_functions = 0';

/** Backups are made there and moved to their place: the engine itself may write them nowhere else. */
export const STAGING = 'staging';

type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>;

export interface EmbeddedOptions {
  /** Data lies in `engine` below it, the writer's files in `spool`. Created when missing. */
  readonly folder: string;
  /** Refuse a folder that holds no store instead of creating one. */
  readonly mustExist?: boolean;
  /** Leave the spool as it is: for who only looks. */
  readonly keepSpool?: boolean;
  /** Where the engine may read and write backups; by default `staging` below the folder, which is emptied. */
  readonly backupsFolder?: string;
}

/**
 * Opens the data folder, or creates it, and empties its spool.
 *
 * Errors: store_empty when the folder must exist and does not; store_in_use when another process has it open;
 * config_invalid when it cannot be used as a folder; store_foreign_object when it holds what Strata did not make;
 * store_damaged when the engine does not open it though nobody else uses it.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<StoreFactory> {
  const folder = resolve(options.folder);
  const engineFolder = join(folder, 'engine');
  const spoolFolder = join(folder, 'spool');
  const stagingFolder = join(folder, STAGING);
  const backupsFolder = options.backupsFolder ?? stagingFolder;
  if (options.mustExist === true && !existsSync(engineFolder)) {
    throw new StrataError('store_empty', `There is no store in the data folder ${folder}`);
  }
  await prepareFolder(folder, engineFolder);
  await checkEngineFolder(engineFolder);
  if (options.keepSpool !== true) await checkSpool(spoolFolder);
  await checkHolder(folder, engineFolder);

  const chdb = await import('chdb');
  const { createChdbConnection } = await import('chdb/connection');
  // The first session starts the engine and is the only one that can hand it arguments; it holds the folder.
  const keeper = await openKeeper(folder, engineFolder, () =>
    withEngineConfig(folder, spoolFolder, ({ config, emptyFolder }) =>
      inFolder(
        emptyFolder,
        () =>
          new chdb.Session(engineFolder, {
            connectionArgs: [...ENGINE_ARGUMENTS, `--backups.allowed_path=${backupsFolder}`, config],
          }),
      ),
    ),
  );
  const forgetEngine = noteEngine();
  await removeLeftConfigs(folder);
  if (options.keepSpool !== true) {
    await rm(stagingFolder, { recursive: true, force: true });
    await emptySpool(spoolFolder);
  }

  const sessions = new Set<Store>();
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await Promise.all([...sessions].map((session) => session.close()));
    keeper.close();
    await chdb.drainPending();
    forgetEngine();
  }

  return {
    name: folder,
    isExclusive: true,
    spoolFolder,
    async open(session) {
      if (closing !== undefined) throw new StrataError('aborted', `The store ${folder} is closed`);
      // The same interface, declared by two copies of the package.
      const connection = createChdbConnection({ path: engineFolder }) as unknown as Connection;
      const client = createClient({ connection, log: { level: ClickHouseLogLevel.OFF } });
      const store = createSession(session, embeddedBackend(client), async () => {
        sessions.delete(store);
        await client.close();
      });
      sessions.add(store);
      return store;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function embeddedBackend(client: Backend['client']): Backend {
  async function run(sql: string): Promise<Uint8Array> {
    try {
      const { stream } = await client.exec({ query: sql });
      return await readAll(stream);
    } catch (error) {
      const engineError = asEngineError(error);
      if (engineError !== undefined) throw queryFailed('The store refused a statement', engineError, error);
      throw new StrataError('store_query_failed', `The store failed: ${messageOf(error)}`, { cause: error });
    }
  }
  return {
    client,
    run,
    async insertNativeFiles(table, columns, paths) {
      const names = columnList(columns);
      // One file() per path: a glob that names a file which is not there reads nothing and reports nothing.
      const selects = paths.map((path) => `SELECT ${names} FROM file(${quote(path)}, 'Native')`);
      const settings = `${INSERT_SETTINGS}, ${FILE_SETTINGS}`;
      await run(
        `INSERT INTO ${identifier(table)} (${names}) SETTINGS ${settings}\n${selects.join('\nUNION ALL\n')}`,
      );
    },
  };
}

async function prepareFolder(folder: string, engineFolder: string): Promise<void> {
  // file() takes these for a glob, and there is no escape.
  if (/[*?{}]/.test(folder)) {
    throw new StrataError(
      'config_invalid',
      `The data folder's path ${folder} must not contain any of * ? { }`,
    );
  }
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makeOwnFolder(engineFolder);
    await access(engineFolder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StrataError('config_invalid', `The data folder ${folder} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Errors: config_invalid. Before the engine is started, which is not to be left behind. */
async function checkSpool(folder: string): Promise<void> {
  try {
    await makeOwnFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StrataError('config_invalid', `The spool ${folder} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The folder itself stays: it may be where another disk is mounted. */
async function emptySpool(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * The engine takes the name of a table that it does not have for a file below the working folder of its start. That
 * folder is empty, and removed after the start, so that no such name tells a reader which files exist.
 */
function inFolder<T>(folder: string, work: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return work();
  } finally {
    process.chdir(before);
  }
}

async function openKeeper<T>(folder: string, engineFolder: string, open: () => T): Promise<T> {
  try {
    return open();
  } catch (error) {
    const other = /only one active data directory.*\(path='(.*?)'\)/.exec(messageOf(error))?.[1];
    if (other !== undefined) {
      throw new StrataError(
        'store_in_use',
        `The data folder ${folder} cannot be opened while this process has ${dirname(other)} open`,
        { cause: error },
      );
    }
    if (await hasNoRoom(engineFolder)) {
      throw new StrataError('disk_full', `The engine cannot open ${folder}: its disk is full`, {
        cause: error,
      });
    }
    const holder = await readHolder(engineFolder);
    if (holder === undefined || !isProcessAlive(holder)) {
      throw new StrataError(
        'store_damaged',
        `The engine cannot open ${folder}; it printed its reason to stderr. ` +
          'If a process in another container uses the folder, stop that one',
        { cause: error },
      );
    }
    throw inUse(folder, holder, error);
  }
}

/**
 * The engine prints a line of its own to stderr when it finds the folder locked, which nobody can keep back. So the process
 * that has the lock file open is looked for first, where the system shows that (/proc). Errors: store_in_use.
 */
async function checkHolder(folder: string, engineFolder: string): Promise<void> {
  const holder = await readHolder(engineFolder);
  if (holder === undefined || holder === process.pid) return;
  if (await hasOpen(holder, join(engineFolder, LOCK_FILE))) throw inUse(folder, holder);
}

/** False also where this user or system cannot see it. */
async function hasOpen(pid: number, file: string): Promise<boolean> {
  const descriptors = `/proc/${pid}/fd`;
  const path = await realpath(file).catch(() => file);
  const names = await readdir(descriptors).catch(() => []);
  for (const name of names) {
    // a descriptor may be closed meanwhile
    const target = await readlink(join(descriptors, name)).catch(() => undefined);
    if (target === path) return true;
  }
  return false;
}

function inUse(folder: string, holder: number, cause?: unknown): StrataError {
  return new StrataError(
    'store_in_use',
    `The data folder ${folder} is in use by another process (pid ${holder}). Stop it, or use another folder (--data)`,
    { cause },
  );
}

/** Of the engine, which locks it. */
const LOCK_FILE = 'status';

/** The process id in the file that the engine locks; it stays behind when the process is killed. */
async function readHolder(engineFolder: string): Promise<number | undefined> {
  const status = await readFile(join(engineFolder, LOCK_FILE), 'utf8').catch(() => '');
  const pid = /PID:\s*(\d+)/.exec(status)?.[1];
  return pid === undefined ? undefined : Number(pid);
}
