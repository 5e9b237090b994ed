import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/**
 * A folder that lives until removeFolders: ext4 passes over each inode that was freed in the last minutes whenever it
 * makes a file, so that removing one measurement's store slows the inserts of the next by up to a half.
 */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  folders.push(folder);
  return folder;
}

/** At the end of the bench. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
