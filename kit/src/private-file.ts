import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes a database file that only its owner may read, and restricts one that exists. SQLite gives the files beside it
 * (`-wal`, `-shm`) the same mode.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}
