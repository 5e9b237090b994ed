import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeServerSpool } from '../../src/store/server-spool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('a new spool takes the place of those whose processes are dead, and of no others', async () => {
  const { path, remove } = await temporaryFolder();
  const dead = spawnSync(process.execPath, ['--version']).pid;
  const own = await makeServerSpool(path);
  const others = [`strata-spool-elsewhere-${dead}-abcdef`, 'strata-spool-notes', 'x'];
  for (const name of [...others, `strata-spool-${hostname()}-${dead}-abcdef`]) await mkdir(join(path, name));
  const second = await makeServerSpool(path);
  expect((await readdir(path)).sort()).toEqual([...others, basename(own), basename(second)].sort());
  await remove();
});
