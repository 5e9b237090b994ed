import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverPlace } from '../../src/cli/backups.ts';
import { checkStore } from '../../src/cli/doctor/store.ts';
import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { backupStore, restoreStore } from '../../src/store/backup.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { openServer } from '../../src/store/server.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { type EngineUnderTest, startEngine } from '../support/engine.ts';
import { digestLines, indexInto } from '../support/indexing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Backups of a database on a server, by SQL alone. */

describe('a store on a server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let engine: EngineUnderTest;
  beforeAll(async () => {
    folder = await temporaryFolder();
    engine = await startEngine(join(folder.path, 'server'));
  });
  afterAll(async () => {
    await engine.stop();
    await folder.remove();
  });

  const open = (database: string): Promise<StoreFactory> => openServer({ ...engine, database });

  it('is backed up, and restored into another database and into a folder', async () => {
    // where this server's configuration allows backups
    const allowed = join(folder.path, 'server', 'backups');
    const place = serverPlace(join(allowed, 'monday'), '--to');
    const stores = await open('strata');
    await indexInto(stores, { toHeight: 40, hasModules: false });
    const content = await backupStore(await stores.open('backup'), stores.name, place);
    const digest = await digestLines(stores);
    expect(digest.at(-1)).toBe(`${content.fromHeight} ${content.toHeight} ${content.sha256}`);

    await expect(
      restoreStore(await stores.open('restore'), stores.name, place, tablesOf(MODULES)),
    ).rejects.toMatchObject({
      code: 'store_not_empty',
    });
    const copy = await open('copy');
    expect(await restoreStore(await copy.open('restore'), copy.name, place, tablesOf(MODULES))).toEqual(
      content,
    );
    expect(await digestLines(copy)).toEqual(digest);
    // the copy's views fill the copy
    await indexInto(copy, { toHeight: 60, hasModules: false });
    expect((await digestLines(stores)).at(-1)).toBe(digest.at(-1));

    const embedded = await openEmbedded({ folder: join(folder.path, 'folder'), backupsFolder: allowed });
    expect(
      await restoreStore(await embedded.open('restore'), embedded.name, place, tablesOf(MODULES)),
    ).toEqual(content);
    await indexInto(embedded, { toHeight: 60, hasModules: false });
    expect(await digestLines(embedded)).toEqual(await digestLines(copy));
    for (const opened of [embedded, copy, stores]) await opened.close();
    const { findings, nextHeight } = await checkStore({ kind: 'server', ...engine, database: 'copy' });
    expect(findings.map(({ check, level }) => [check, level])).toEqual([
      ['schema', 'ok'],
      ['store', 'ok'],
      ['rows', 'ok'],
    ]);
    expect(nextHeight).toBe(61);
  }, 120_000);

  it('is not backed up where the server does not allow it, and says so', async () => {
    const stores = await open('strata');
    await indexInto(stores, { toHeight: 40, hasModules: false });
    const session = await stores.open('backup');
    for (const [text, reason] of [
      [join(folder.path, 'elsewhere'), /not allowed|allowed_path/],
      ['disk:backups/monday', /allowed_disk/],
    ] as const) {
      await expect(backupStore(session, stores.name, serverPlace(text, '--to'))).rejects.toMatchObject({
        code: 'store_query_failed',
        message: expect.stringMatching(reason),
      });
    }
    await stores.close();
  });
});

describe('a place', () => {
  it('is a path or one on a disk', () => {
    expect(serverPlace('/srv/backups/monday', '--to')).toEqual({ kind: 'file', path: '/srv/backups/monday' });
    expect(serverPlace('disk:backups/a/b', '--to')).toEqual({ kind: 'disk', disk: 'backups', path: 'a/b' });
    expect(() => serverPlace('disk:backups', '--to')).toThrow('--to disk:backups must be disk:<name>/<path>');
  });

  it('stands in the statement as a text, whatever it is', async () => {
    const commands: string[] = [];
    const store: Store = {
      name: 'test',
      query: emptyDatabase,
      command: async (sql) => {
        commands.push(sql);
        if (sql.startsWith('RESTORE ')) throw new Error('seen');
      },
      insertNativeFiles: async () => {},
      close: async () => {},
    };
    const path = "a' , 'b";
    const place = { kind: 'disk', disk: 'd', path } as const;
    const restored = restoreStore(store, 'test', place);
    await expect(restored).rejects.toMatchObject({ code: 'backup_invalid' });
    expect(commands.at(-1)).toContain(String.raw`FROM Disk('d', 'a\' , \'b')`);
  });
});

/** No tables, in a database named x. */
async function emptyDatabase(sql: string): Promise<Uint8Array> {
  return sql.includes('count()') ? new Uint8Array(8) : new Uint8Array([1, 'x'.charCodeAt(0)]);
}
