import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { StrataError } from 'strata-kit/errors';
import { type Backend, columnList, createSession, INSERT_SETTINGS, readAll } from './clickhouse.ts';
import { type ClusterOptions, createDatabase, insertSettings, onCluster } from './cluster.ts';
import { asEngineError, messageOf, queryFailed } from './engine-error.ts';
import { makeServerSpool } from './server-spool.ts';
import { identifier } from './sql.ts';
import type { Store, StoreFactory } from './store.ts';

/** The server stops a query at its own limit; the client waits this much longer for the answer. */
const DEADLINE_MARGIN_MS = 5_000;
/** Statements without a limit of their own: inserts, deletes, migrations. */
const STATEMENT_DEADLINE_MS = 600_000;
const UNKNOWN_DATABASE = 81;
/** CREATE DATABASE; on a cluster it waits for every server. */
const CLUSTER_DDL_MS = 60_000;
/** A column that the table lacks is a mistake and not to be skipped. */
const BODY_SETTINGS = 'input_format_skip_unknown_fields = 0';
const READ_CHUNK_BYTES = 1 << 20;

export interface ServerOptions {
  /** http:// or https://, without credentials. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  /** Created when the server does not have it, unless `mustExist` is set. */
  readonly database: string;
  /** Refuse a database that is not there instead of creating it. */
  readonly mustExist?: boolean;
  /** The server is one of a cluster: docs/cluster.md. */
  readonly cluster?: ClusterOptions | undefined;
  /** Milliseconds for statements other than queries; 10 minutes by default. */
  readonly statementDeadlineMs?: number;
}

/**
 * Connects to a ClickHouse server.
 *
 * Errors: store_empty when the database must exist and does not; store_unreachable when no answer comes; store_query_failed when it refuses, e.g. the password.
 */
export async function openServer(options: ServerOptions): Promise<StoreFactory> {
  const name = new URL(options.url).host;
  await ensureDatabase(options, name);
  const spoolFolder = await makeServerSpool();
  const sessions = new Set<Store>();
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await Promise.all([...sessions].map((session) => session.close()));
    await rm(spoolFolder, { recursive: true, force: true });
  }

  return {
    name,
    isExclusive: false,
    spoolFolder,
    async open(session) {
      if (closing !== undefined) throw new StrataError('aborted', `The store ${name} is closed`);
      const backend = serverBackend(options, options.database, name);
      const store = createSession(session, backend, async () => {
        sessions.delete(store);
        await backend.client.close();
      });
      sessions.add(store);
      return options.cluster === undefined ? store : onCluster(store, options.database, options.cluster);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function serverBackend(options: ServerOptions, database: string | undefined, name: string): Backend {
  const ofCluster = options.cluster === undefined ? '' : `${insertSettings(options.cluster)}, `;
  const statementDeadlineMs = options.statementDeadlineMs ?? STATEMENT_DEADLINE_MS;
  const client = createClient({
    url: options.url,
    ...(options.user === undefined ? {} : { username: options.user }),
    ...(options.password === undefined ? {} : { password: options.password }),
    ...(database === undefined ? {} : { database }),
    request_timeout: statementDeadlineMs + DEADLINE_MARGIN_MS,
    max_open_connections: 1,
    compression: { request: false, response: false },
    clickhouse_settings: {
      // Of HTTP alone: an error that comes late still changes the status instead of standing in the middle of rows.
      wait_end_of_query: 1,
      // A Distributed table within IN (SELECT …) over another one is refused by default where there are two shards.
      ...(options.cluster === undefined ? {} : { distributed_product_mode: 'global' }),
    },
    log: { level: ClickHouseLogLevel.OFF },
  });

  async function exec(query: string, deadlineMs: number, values?: Readable): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(deadlineMs + DEADLINE_MARGIN_MS);
    try {
      const { stream } = await client.exec({
        query,
        abort_signal: signal,
        ...(values === undefined ? {} : { values }),
      });
      return await readAll(stream);
    } catch (error) {
      const engineError = asEngineError(error);
      if (engineError !== undefined)
        throw queryFailed(`The store ${name} refused a statement`, engineError, error);
      const reason = signal.aborted
        ? `no answer within ${deadlineMs + DEADLINE_MARGIN_MS} ms`
        : messageOf(error);
      throw new StrataError('store_unreachable', `The store ${name} does not answer: ${reason}`, {
        cause: error,
        retryable: true,
      });
    }
  }

  return {
    client,
    run: (sql, deadlineMs = statementDeadlineMs) => exec(sql, deadlineMs),
    async insertNativeFiles(table, columns, paths) {
      const query = `INSERT INTO ${identifier(table)} (${columnList(columns)}) SETTINGS ${ofCluster}${INSERT_SETTINGS}, ${BODY_SETTINGS} FORMAT Native`;
      await exec(query, statementDeadlineMs, Readable.from(fileChunks(paths), { objectMode: false }));
    },
  };
}

/** Native is a sequence of blocks, so files follow each other without a seam. */
async function* fileChunks(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: READ_CHUNK_BYTES });
}

async function ensureDatabase(options: ServerOptions, name: string): Promise<void> {
  const inside = serverBackend(options, options.database, name);
  const outside = serverBackend(options, undefined, name);
  try {
    await inside.run('SELECT 1 FORMAT RowBinary', 10_000);
  } catch (error) {
    if (!(error instanceof StrataError) || asEngineError(error.cause)?.code !== UNKNOWN_DATABASE) throw error;
    if (options.mustExist === true) {
      throw new StrataError('store_empty', `The server ${name} has no database ${options.database}`);
    }
    await outside.run(createDatabase(options.database, options.cluster), CLUSTER_DDL_MS);
  } finally {
    await Promise.all([inside.client.close(), outside.client.close()]);
  }
}
