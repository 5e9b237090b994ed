import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';

/** Folders that are listed at a time: the threads that libuv has for files. */
const AT_ONCE = 16;

export interface OddFile {
  readonly kind: 'symbolic link' | 'named pipe' | 'socket' | 'device' | 'entry';
  readonly name: string;
  readonly path: string;
}

/**
 * The first entry at any depth below `folders` that is neither a folder nor a regular file; undefined when there is none.
 * Nothing is opened or followed. Cost: one listing a folder, no look at single files.
 */
export async function findOddFile(folders: readonly string[]): Promise<OddFile | undefined> {
  const queue = new PQueue({ concurrency: AT_ONCE });
  let found: OddFile | undefined;
  let failure: unknown;

  const add = (folder: string): void => {
    queue
      .add(() => look(folder))
      .catch((error: unknown) => {
        failure ??= error;
        queue.clear();
      });
  };
  async function look(folder: string): Promise<void> {
    for (const entry of await entriesOf(folder)) {
      if (found !== undefined || failure !== undefined) return;
      if (entry.isFile()) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        add(path);
      } else {
        found = { kind: kindOf(entry), name: entry.name, path };
        queue.clear();
      }
    }
  }

  for (const folder of folders) add(folder);
  await queue.onIdle();
  if (failure !== undefined) throw failure;
  return found;
}

function kindOf(entry: Dirent): OddFile['kind'] {
  if (entry.isSymbolicLink()) return 'symbolic link';
  if (entry.isFIFO()) return 'named pipe';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'device' : 'entry';
}

/** Nothing of a folder that is gone: another process that has the store open merges and drops parts. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
