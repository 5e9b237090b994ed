import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStrataError, type StrataError } from './errors.ts';
import type { Hold } from './hold.ts';
import { holdSqlite } from './sqlite-hold.ts';

/** How it is told that there is no lock. */
export interface LockRefusals {
  /** `who` is `process 4711`, or `another process` while that one has not told its number yet. */
  readonly held: (who: string) => StrataError;
  /** By what the file system says. */
  readonly unusable: (reason: string, cause: unknown) => StrataError;
}

/** Whose it is, for whoever is refused. What holds is the operating system's lock, on a file beside it. */
const FILE = 'pid';

/**
 * Runs what one process at a time does in a folder. The lock ends with its process, however that ends: a number in a file
 * would be another process's after a restart of the machine or the container. Creates the folder. Errors: those refusals,
 * and what `work` throws.
 */
export async function withFolderLock(
  folder: string,
  { held, unusable }: LockRefusals,
  work: () => Promise<void>,
): Promise<void> {
  const path = join(folder, FILE);
  const lock = await takeLock();
  try {
    await work();
  } finally {
    try {
      rmSync(path, { force: true });
    } finally {
      await lock.release();
    }
  }

  async function takeLock(): Promise<Hold> {
    let lock: Hold | undefined;
    try {
      lock = await holdSqlite(path, () => held(holderOf(path)));
      writeFileSync(path, `${process.pid}\n`);
      return lock;
    } catch (cause) {
      await lock?.release();
      throw isStrataError(cause)
        ? cause
        : unusable(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }
}

function holderOf(path: string): string {
  try {
    const pid = readFileSync(path, 'utf8').trim();
    if (/^[1-9]\d*$/.test(pid)) return `process ${pid}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return 'another process';
}
