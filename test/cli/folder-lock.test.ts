import { writeFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { withFolderLock } from 'strata-kit/folder-lock';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

let parent: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  parent = await temporaryFolder();
});
afterAll(() => parent.remove());

const refusals = {
  held: (who: string) => new StrataError('store_in_use', who),
  unusable: (reason: string, cause: unknown) => new StrataError('config_invalid', reason, { cause }),
};
const nothing = async () => undefined;

it('is one at a time, which is told by its process, and the next one’s when that ends or fails', async () => {
  const folder = join(parent.path, 'one', 'deep');
  await withFolderLock(folder, refusals, async () => {
    await expect(withFolderLock(folder, refusals, nothing)).rejects.toMatchObject({
      code: 'store_in_use',
      message: `process ${process.pid}`,
    });
    // as between the lock and the number
    await writeFile(join(folder, 'pid'), '');
    await expect(withFolderLock(folder, refusals, nothing)).rejects.toMatchObject({
      message: 'another process',
    });
  });
  const failing = withFolderLock(folder, refusals, () => Promise.reject(new Error('the work')));
  await expect(failing).rejects.toThrow('the work');
  let ran = false;
  await withFolderLock(folder, refusals, async () => {
    ran = true;
  });
  expect(ran).toBe(true);
  expect(await readdir(folder)).toEqual(['pid.lock']);
});

it('is not held by a number that a killed process left and another one has now', async () => {
  const folder = join(parent.path, 'reused');
  await withFolderLock(folder, refusals, nothing);
  await writeFile(join(folder, 'pid'), `${process.ppid}\n`);
  let ran = false;
  await withFolderLock(folder, refusals, async () => {
    ran = true;
  });
  expect(ran).toBe(true);
});

it('needs a folder that it can use', async () => {
  const path = join(parent.path, 'file');
  writeFileSync(path, '');
  await expect(withFolderLock(join(path, 'in'), refusals, nothing)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/ENOTDIR/),
  });
});
