import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies a folder, such as a store that no process has open; links stay as they are.
 * `cp` takes 25 ms of CPU for the 600 files of a store, fs.cp 450.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}
