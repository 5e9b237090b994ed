import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixed, i64big } from '../core/columns.ts';
import { TableBuilder } from '../core/native.ts';
import { RowReader } from '../core/rowbinary.ts';
import { table } from '../core/table.ts';
import { spoolFailed } from './disk.ts';
import type { Store } from './store.ts';

/**
 * The key that signs the API's cursors. Every API process over a store reads the same one. It is in a table of its own,
 * so that SQL readers can be kept from it and backups can leave it out.
 */

const CURSOR_KEYS = table({
  name: 'cursor_keys',
  columns: { created_ns: i64big, key: fixed(32) },
});

/** Tables whose rows are not data of the chain and that no SQL reader may read; also as a cluster names them. */
export const SECRET_TABLES: readonly string[] = [CURSOR_KEYS.name, `${CURSOR_KEYS.name}_local`];
/** Backups do not carry these. */
export const UNSAVED_TABLES: readonly string[] = [CURSOR_KEYS.name];

export const CURSOR_KEY_BYTES = 32;

/** Undefined where no process that may write has made one yet. */
export async function readCursorKey(store: Store): Promise<Uint8Array | undefined> {
  const keys = new RowReader(
    await store.query(`SELECT key FROM ${CURSOR_KEYS.name} ORDER BY created_ns, key LIMIT 1`),
  );
  return keys.done ? undefined : new Uint8Array(keys.fixed(CURSOR_KEY_BYTES));
}

/**
 * Gives the store a key unless it has one. For the process that writes. When two do this at the same time, the older
 * row counts for every later reader.
 *
 * The key goes through a file in `spoolFolder`: a statement's text would stay in a server's logs.
 */
export async function keepCursorKey(store: Store, spoolFolder: string): Promise<void> {
  if ((await readCursorKey(store)) !== undefined) return;
  const builder = new TableBuilder(CURSOR_KEYS);
  builder.append({ created_ns: BigInt(Date.now()) * 1_000_000n, key: randomBytes(CURSOR_KEY_BYTES) });
  const path = join(spoolFolder, `${CURSOR_KEYS.name}.native`);
  try {
    await writeFile(path, builder.finish(), { mode: 0o600 }).catch((error: unknown) => {
      throw spoolFailed(error);
    });
    const columns = CURSOR_KEYS.columns.map(([name]) => name);
    await store.insertNativeFiles(CURSOR_KEYS.name, columns, [path]);
  } finally {
    await rm(path, { force: true });
  }
}
