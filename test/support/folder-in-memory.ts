import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../../src/store/process-alive.ts';

/**
 * A store is some thousand files, and the suite makes hundreds of stores: on a disk a fifth of its CPU time goes into
 * making and removing them (docs/performance.md). `npm run test:kill` stays on the disk, and so does everything when
 * TMPDIR is set.
 */
const IN_MEMORY = '/dev/shm';
const NAME = 'strata-tests';
/** Of the file system and of the machine: several times what all tests hold at one time. */
const ROOM_BYTES = 6_000_000_000;
/** A run that was killed has left its folder; one that another container sees is in use for less. */
const LEFT_MS = 60 * 60_000;

/** A new folder that lies in memory; undefined where there is too little of it. */
export function folderInMemory(parent = IN_MEMORY): string | undefined {
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    removeLeft(parent);
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES) return undefined;
    return mkdtempSync(join(parent, `${NAME}-${process.pid}-`));
  } catch {
    // no such folder, or none that may be written: the disk does
    return undefined;
  }
}

function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${NAME}-(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    const path = join(parent, name);
    if (Date.now() - statSync(path).mtimeMs > LEFT_MS) rmSync(path, { recursive: true, force: true });
  }
}
