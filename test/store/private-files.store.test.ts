import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDiskKv } from 'strata-devnet/state/kv';
import { readSecretFile } from 'strata-kit/client/keyring';
import { openDatabase } from 'strata-testnet/database/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

beforeAll(releaseSharedStore);

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
    for (const name of ['data', 'data/engine', 'data/spool']) {
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
    for (const name of ['spool', 'engine']) {
      await mkdir(path(`of-${name}`));
      await symlink(path('mine'), path(`of-${name}/${name}`));
      await expect(openEmbedded({ folder: path(`of-${name}`) })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('symbolic link'),
      });
    }
    expect(await readdir(path('mine'))).toEqual(['users.xml']);
  });

  it('that configure an engine have no effect in a data folder', async () => {
    await mkdir(path('brought'));
    const profile = (setting: string): string =>
      `<clickhouse><profiles><default>${setting}</default></profiles></clickhouse>`;
    for (const folder of ['access', 'engine-config-000000']) {
      const files = {
        'users.xml': profile('<max_block_size>1111</max_block_size>'),
        'users.d/a.xml': profile('<max_threads>3</max_threads>'),
        'config.d/a.xml': '<clickhouse><max_table_size_to_drop>3333</max_table_size_to_drop></clickhouse>',
        'conf.d/a.xml':
          '<clickhouse><max_partition_size_to_drop>4444</max_partition_size_to_drop></clickhouse>',
        'scripts/a.sh': 'exit',
      };
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(path(`brought/${folder}/${name}`)), { recursive: true });
        await writeFile(path(`brought/${folder}/${name}`), text);
      }
    }
    const stores = await openEmbedded({ folder: path('brought') });
    try {
      const store = await stores.open('test');
      const query = `SELECT toString(getSetting('max_threads')), toString(getSetting('max_block_size')),
        toString(getServerSetting('max_table_size_to_drop')), toString(getServerSetting('max_partition_size_to_drop'))`;
      const values = new RowReader(await store.query(query));
      for (const value of ['3', '1111', '3333', '4444']) expect(values.string()).not.toBe(value);
    } finally {
      await stores.close();
    }
    // the folder of this start and those of killed processes are gone
    expect((await readdir(path('brought'))).sort()).toEqual(['access', 'engine', 'spool']);
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
