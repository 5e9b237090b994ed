import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backupFolder } from '../../src/cli/backups.ts';
import { deferred } from '../../src/core/deferred.ts';
import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { type BackupContent, restoreStore } from '../../src/store/backup.ts';
import { checkBackupFolder } from '../../src/store/backup-folder.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { keepCursorKey, readCursorKey } from '../../src/store/cursor-keys.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { countRows, HEIGHT_TABLES } from '../../src/store/repair.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { digestLines, indexInto, recordedSource, rowCounts, withStore } from '../support/indexing.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

beforeAll(releaseSharedStore);

/** Backup and restore of an embedded store. A process has one open at a time. */

/** Of what a backup goes on to: some commits behind it. */
const END = 160;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const path = (name: string): string => join(folder.path, name);

async function restored<T>(
  from: string,
  data: string,
  use: (stores: Awaited<ReturnType<typeof openEmbedded>>, content: BackupContent) => Promise<T>,
): Promise<T> {
  const place = await checkBackupFolder(from);
  const stores = await openEmbedded({ folder: data, backupsFolder: dirname(from) });
  try {
    const session = await stores.open('restore');
    return await use(stores, await restoreStore(session, stores.name, place, tablesOf(MODULES)));
  } finally {
    await stores.close();
  }
}

/** The stores with something done before the engine begins with a backup. */
function beforeBackup(stores: StoreFactory, act: () => Promise<void>): StoreFactory {
  return {
    ...stores,
    async open(name) {
      const session = await stores.open(name);
      return {
        ...session,
        async command(sql) {
          if (sql.startsWith('BACKUP ')) await act();
          await session.command(sql);
        },
      };
    },
  };
}

/** A checkpoint says nothing of a table that has no rows yet. */
function zeros(tables: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.keys(tables).map((table) => [table, 0]));
}

let small: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  small = await temporaryFolder();
  await withStore(join(small.path, 'data'), async (stores) => {
    await indexInto(stores, { toHeight: 20 });
    await backupFolder(stores, join(small.path, 'data'), join(small.path, 'backup'));
  });
});
afterAll(() => small.remove());

/** A store of 20 blocks in `data` and its backup in `backup`. */
async function makeBackup(): Promise<void> {
  for (const name of ['data', 'backup']) await copyFolder(join(small.path, name), path(name));
}

describe('a backup', () => {
  it('taken during a backfill is a store at a checkpoint, from which indexing goes on to the same digest', async () => {
    const begun = deferred<void>();
    const overtaken = deferred<void>();
    const taking = deferred<BackupContent>();
    const heights: number[] = [];
    let isTaken = false;
    await withStore(path('data'), async (stores) => {
      // between the backup's look at the checkpoint and its own statement there are two commits more
      const factory = beforeBackup(stores, () => {
        begun.resolve();
        return overtaken.promise;
      });
      const source = await recordedSource();
      await indexInto(stores, {
        source: {
          ...source,
          fetch: async (from, to, signal) => {
            if (from > 100) await begun.promise;
            return source.fetch(from, to, signal);
          },
        },
        toHeight: END,
        rangeBlocks: 5,
        commitBlocks: 20,
        onCommit: ({ height }) => {
          heights.push(height);
          if (height >= 60 && !isTaken) {
            isTaken = true;
            backupFolder(factory, path('data'), path('backup')).then(taking.resolve, taking.reject);
          }
          if (heights.filter((seen) => seen > 100).length === 2) overtaken.resolve();
        },
      });
      await taking.promise;
      await source.close();
    });
    const content = await taking.promise;
    expect(content.toHeight).toBeGreaterThanOrEqual(60);
    expect(content.toHeight).toBeLessThanOrEqual(100);
    expect(heights).toContain(content.toHeight);

    const whole = await recordedDigest(END);
    await restored(path('backup'), path('restored'), async (stores, restoredContent) => {
      expect(restoredContent).toEqual(content);
      const { tables, checkpoint } = await rowCounts(stores);
      expect(tables).toEqual({ ...zeros(tables), ...checkpoint });
      expect((await digestLines(stores)).at(-1)).toBe(
        `${content.fromHeight} ${content.toHeight} ${content.sha256}`,
      );
      const commits = await indexInto(stores, { toHeight: END });
      expect(commits[0]).toMatchObject({ firstHeight: 1 });
      expect(commits.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(END - content.toHeight);
      expect(await digestLines(stores)).toEqual(whole);
      const end = await rowCounts(stores);
      expect(end.tables).toEqual(end.checkpoint);
    });
  }, 120_000);

  it('holds what lies above its checkpoint, and a restore takes that away', async () => {
    await withStore(path('data'), async (stores) => {
      await indexInto(stores, { toHeight: 40 });
      await indexInto(stores, { toHeight: 60 });
      const session = await stores.open('cut');
      // as between the inserts of a commit and its checkpoint
      await session.command(
        'DELETE FROM checkpoints WHERE height > 40 SETTINGS lightweight_deletes_sync = 2',
      );
      const content = await backupFolder(stores, path('data'), path('backup'));
      expect(content.toHeight).toBe(40);
    });
    const undisturbed = await recordedDigest(40);
    await restored(path('backup'), path('restored'), async (stores) => {
      const session = await stores.open('look');
      const above = await countRows(session, HEIGHT_TABLES, 'height > 40');
      expect([...above.values()].reduce((a, b) => a + b)).toBe(0);
      expect((await readCheckpoint(session))?.height).toBe(40);
      expect(await digestLines(stores)).toEqual(undisturbed);
    });
  }, 120_000);

  it('leaves the key of cursors out; a restored store gets another', async () => {
    await makeBackup();
    const own = await withStore(path('data'), async (stores) => readCursorKey(await stores.open('look')));
    expect(own).toHaveLength(32);
    const files = await readdir(path('backup'), { recursive: true });
    expect(files.filter((name) => name.includes('cursor_keys'))).toEqual([]);
    const other = await restored(path('backup'), path('restored'), async (stores) => {
      const session = await stores.open('look');
      expect(await readCursorKey(session)).toBeUndefined();
      await keepCursorKey(session, stores.spoolFolder);
      return readCursorKey(session);
    });
    expect(other).toHaveLength(32);
    expect(other).not.toEqual(own);
  });

  it('leaves nothing half done where it cannot be made', async () => {
    await makeBackup();
    await withStore(path('data'), async (stores) => {
      await expect(backupFolder(stores, path('data'), path('backup'))).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('is there already'),
      });
      await expect(backupFolder(stores, path('data'), path('data/mine'))).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('lies in the data folder'),
      });
      await writeFile(path('file'), '');
      await expect(backupFolder(stores, path('data'), path('file/backup'))).rejects.toMatchObject({
        code: 'config_invalid',
      });
      // of a process that was killed while it backed up
      await mkdir(path('data/staging/backup/data'), { recursive: true });
    });
    await withStore(path('data'), async () => {
      expect(await readdir(path('data'))).not.toContain('staging');
    });
  });

  it('of a store that steps back meanwhile is none', async () => {
    await withStore(path('data'), async (stores) => {
      await indexInto(stores, { toHeight: 10 });
      await indexInto(stores, { toHeight: 20 });
      const session = await stores.open('step back');
      const factory = beforeBackup(stores, () =>
        session.command('DELETE FROM checkpoints WHERE height > 10 SETTINGS lightweight_deletes_sync = 2'),
      );
      await expect(backupFolder(factory, path('data'), path('backup'))).rejects.toMatchObject({
        code: 'backup_invalid',
      });
      expect(await readdir(folder.path)).not.toContain('backup');
    });
  });

  it('of a store without a chain is refused', async () => {
    await withStore(path('data'), async (stores) => {
      await expect(backupFolder(stores, path('data'), path('backup'))).rejects.toMatchObject({
        code: 'store_empty',
      });
    });
  });
});

describe('a restore', () => {
  it('refuses a store that is not empty', async () => {
    await makeBackup();
    await expect(restored(path('backup'), path('data'), async () => {})).rejects.toMatchObject({
      code: 'store_not_empty',
    });
  });

  it('refuses what is no backup, and one that lacks a part', async () => {
    await expect(restored(path('nothing'), path('restored'), async () => {})).rejects.toMatchObject({
      code: 'backup_invalid',
    });
    expect(await readdir(folder.path)).not.toContain('restored');
    await makeBackup();
    const table = join(path('backup'), 'data', 'strata', 'blocks');
    const [part = ''] = (await readdir(table)).filter((name) => name.startsWith('all_'));
    await rm(join(table, part), { recursive: true });
    await expect(restored(path('backup'), path('restored'), async () => {})).rejects.toMatchObject({
      code: 'backup_invalid',
    });
  });

  it('finds out when the rows are others than those that were backed up', async () => {
    await makeBackup();
    await withStore(path('data'), async (stores) => {
      const session = await stores.open('forge');
      // as many rows as before
      const factory = beforeBackup(stores, () =>
        session.command(
          'ALTER TABLE height_digests UPDATE digest = toFixedString(reverse(digest), 32) WHERE height = 7 SETTINGS mutations_sync = 2',
        ),
      );
      await backupFolder(factory, path('data'), path('forged'));
    });
    await expect(restored(path('forged'), path('restored'), async () => {})).rejects.toMatchObject({
      code: 'backup_invalid',
      message: expect.stringMatching(/taken at height 20 with digest .* has height 20 and/),
    });
  });
});
