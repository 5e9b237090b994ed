import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from './process-alive.ts';

/**
 * Makes a folder for the files on their way to a server, and removes those of processes that were killed. A folder's
 * name holds host and process id: a process id says nothing about another machine or container with the same disk.
 */
export async function makeServerSpool(parent: string = tmpdir()): Promise<string> {
  const ours = `strata-spool-${hostname()}-`;
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(ours) ? /^(\d+)-[^-]+$/.exec(name.slice(ours.length))?.[1] : undefined;
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
  return mkdtemp(join(parent, `${ours}${process.pid}-`));
}
