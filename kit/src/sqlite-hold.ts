import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'libsql';
import type { StrataError } from './errors.ts';
import type { Hold } from './hold.ts';
import { makePrivateFile } from './private-file.ts';

/**
 * A transaction without an end in a file beside the database, which stays empty: its lock is the operating system's, and
 * readers of the database itself are left alone. Errors: `taken`; those of opening the file.
 */
export async function holdSqlite(path: string, taken: () => StrataError): Promise<Hold> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  makePrivateFile(`${path}.lock`);
  const lock = new Database(`${path}.lock`, { timeout: 0 });
  try {
    // no file of a journal
    lock.exec('PRAGMA journal_mode = MEMORY');
    // of two at once one gets it; EXCLUSIVE lets each of them stop the other
    lock.exec('BEGIN IMMEDIATE');
  } catch (error) {
    lock.close();
    throw String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY') ? taken() : error;
  }
  return {
    isHeld: () => lock.open,
    keep: async () => undefined,
    release: async () => void lock.close(),
  };
}
