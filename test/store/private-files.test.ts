import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/app/database/database.ts';
import { readSecretFile } from '../../src/devnet/client/keyring.ts';
import { openDiskKv } from '../../src/devnet/state/kv.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What Strata keeps is its owner's alone, whatever the umask says. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let mask: number;
beforeAll(async () => {
  folder = await temporaryFolder();
  mask = process.umask(0);
});
afterAll(async () => {
  process.umask(mask);
  await folder.remove();
});

const path = (name: string): string => join(folder.path, name);
const modeOf = async (name: string): Promise<string> => ((await stat(path(name))).mode & 0o777).toString(8);

describe('files of others', () => {
  it('do not lie in a data folder that anybody may enter', async () => {
    await (await openEmbedded({ folder: path('data') })).close();
    for (const name of ['data', 'data/engine', 'data/spool', 'data/access']) {
      expect([name, await modeOf(name)]).toEqual([name, '700']);
    }
    // as an older version made them
    await chmod(path('data/engine'), 0o755);
    await chmod(path('data/spool'), 0o755);
    await (await openEmbedded({ folder: path('data') })).close();
    expect([await modeOf('data/engine'), await modeOf('data/spool')]).toEqual(['700', '700']);
  });

  it('are not deleted or written through a link in a data folder', async () => {
    await mkdir(path('mine'));
    await writeFile(path('mine/users.xml'), 'mine');
    for (const name of ['spool', 'access', 'engine']) {
      await mkdir(path(`of-${name}`));
      await symlink(path('mine'), path(`of-${name}/${name}`));
      await expect(openEmbedded({ folder: path(`of-${name}`) })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('symbolic link'),
      });
    }
    expect(await readdir(path('mine'))).toEqual(['users.xml']);
  });

  it('are those of the app and the reference chain too', async () => {
    const database = { kind: 'sqlite', path: path('app/app.db') } as const;
    await (await openDatabase(database)).destroy();
    expect([await modeOf('app'), await modeOf('app/app.db')]).toEqual(['700', '600']);
    await chmod(database.path, 0o644);
    const opened = await openDatabase(database);
    for (const file of await readdir(path('app')))
      expect([file, await modeOf(`app/${file}`)]).toEqual([file, '600']);
    await opened.destroy();

    await openDiskKv(path('home')).close();
    expect([await modeOf('home'), await modeOf('home/data.mdb')]).toEqual(['700', '600']);
  });

  it('that hold a key are refused where others may read them, with what to do', async () => {
    await writeFile(path('desk.json'), '{}');
    for (const mode of [0o644, 0o640, 0o602]) {
      await chmod(path('desk.json'), mode);
      expect(() => readSecretFile(path('desk.json'))).toThrow(
        `has mode ${mode.toString(8)}, so that others may read it: chmod 600 ${path('desk.json')}`,
      );
    }
    await chmod(path('desk.json'), 0o400);
    expect(readSecretFile(path('desk.json'))).toBe('{}');
  });
});
