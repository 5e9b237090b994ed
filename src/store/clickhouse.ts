import type { ClickHouseClient } from '@clickhouse/client';
import { concatBytes } from 'strata-kit/bytes';
import { identifier } from './sql.ts';
import type { Store } from './store.ts';
import { createTurns } from './turns.ts';

/**
 * What both kinds of store share: one session over one client of @clickhouse/client.
 *
 * Settings stand in the SQL text. As clickhouse_settings the embedded engine would keep them for every later query
 * of the session.
 */

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_WAITING = 1_000;

/** How the two kinds differ. */
export interface Backend {
  readonly client: ClickHouseClient;
  /** Runs SQL and returns what it answers; `deadlineMs` is for the transport, the engine has its own limit. */
  run(sql: string, deadlineMs?: number): Promise<Uint8Array>;
  insertNativeFiles(table: string, columns: readonly string[], paths: readonly string[]): Promise<void>;
}

/**
 * The engine's defaults are not relied on: asynchronous inserts answer before rows are there, and a deduplicated
 * block of equal rows would be lost. A second thread gains nothing (67 MB of txs take 0.34 s with one or two) and
 * is taken from the point queries of other sessions. The block sizes hold a whole commit, so that it becomes one
 * part and one row per group in the views; blocks of 10,000 rows take 0.57 s.
 */
export const INSERT_SETTINGS = [
  'async_insert = 0',
  'insert_deduplicate = 0',
  'max_threads = 1',
  'max_insert_threads = 1',
  'min_insert_block_size_rows = 1048449',
  'min_insert_block_size_bytes = 268402944',
].join(', ');

/** A Store over `backend` that runs one statement at a time; `release` frees what the session holds. */
export function createSession(name: string, backend: Backend, release: () => Promise<void>): Store {
  const turns = createTurns(name, MAX_WAITING);
  let closing: Promise<void> | undefined;
  return {
    name,
    query(sql, options = {}) {
      const seconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
      const text = `${sql}\nFORMAT RowBinary SETTINGS max_execution_time = ${seconds}`;
      return turns.run(() => backend.run(text, seconds * 1_000));
    },
    async command(sql) {
      await turns.run(() => backend.run(sql));
    },
    async insertNativeFiles(table, columns, paths) {
      if (paths.length === 0) return;
      await turns.run(() => backend.insertNativeFiles(table, columns, paths));
    },
    close() {
      closing ??= turns.close().then(release);
      return closing;
    },
  };
}

export function columnList(columns: readonly string[]): string {
  return columns.map(identifier).join(', ');
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk as Uint8Array);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : concatBytes(chunks);
}
