import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../store/process-alive.ts';

/** A folder that one process has at a time: its `pid` file names it. One that a killed process left is taken over. */
export interface FolderLock {
  release(): void;
}

const FILE = 'pid';
/** Two that find a dead one's file at once: one of them makes the next. */
const ATTEMPTS = 3;

/** The process that has the folder, or the lock. Creates the folder. Errors: those of the file system. */
export function lockFolder(folder: string): FolderLock | { readonly heldBy: number } {
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
