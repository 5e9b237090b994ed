import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../store/process-alive.ts';

/** How it is told that there is no lock. */
export interface LockRefusals {
  readonly held: (pid: number) => Error;
  /** By what the file system says. */
  readonly unusable: (reason: string, cause: unknown) => Error;
}

interface FolderLock {
  release(): void;
}

const FILE = 'pid';
/** Two that find a dead one's file at once: one of them makes the next. */
const ATTEMPTS = 3;

/**
 * Runs what one process at a time does in a folder: its `pid` file names the one. What a killed process left is taken over.
 * Creates the folder. Errors: those refusals, and what `work` throws.
 */
export async function withFolderLock(
  folder: string,
  { held, unusable }: LockRefusals,
  work: () => Promise<void>,
): Promise<void> {
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(folder);
  } catch (cause) {
    throw unusable(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if ('heldBy' in lock) throw held(lock.heldBy);
  try {
    await work();
  } finally {
    lock.release();
  }
}

/** The process that has the folder, or the lock. Errors: those of the file system. */
function lockFolder(folder: string): FolderLock | { readonly heldBy: number } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, FILE);
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === ATTEMPTS) throw error;
      const heldBy = holderOf(path);
      if (heldBy !== undefined && heldBy !== process.pid && isProcessAlive(heldBy)) return { heldBy };
      rmSync(path, { force: true });
    }
  }
}

/** Undefined for a file that is gone or names none, as after a power failure. */
function holderOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
