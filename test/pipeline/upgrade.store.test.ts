import { createLogger } from 'strata-kit/cli/logging';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '../../src/cli/serving.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { rangeDigests } from '../../src/store/digests.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { countedRows } from '../../src/store/generations.ts';
import { loadMigrations, migrate, readSchemaVersion } from '../../src/store/migrations.ts';
import { countRows, HEIGHT_TABLES, repairAboveCheckpoint } from '../../src/store/repair.ts';
import { rebuildCounts } from '../../src/store/seals.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { digestLines, indexInto, withFreshStore } from '../support/indexing.ts';
import { fillOldStore, OLD_DIGEST, OLD_HEIGHT, OLD_TABLES } from '../support/old-store.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { printOf, type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

beforeAll(releaseSharedStore);

/**
 * A store of the first schema, opened by today's code: whatever migrations there are by now, the data stays, and the
 * store becomes the one that today's code would have made.
 */

function withOldStore<T>(use: (stores: StoreFactory) => Promise<T>): Promise<T> {
  const fillAndUse = async (stores: StoreFactory) => {
    await fillOldStore(stores);
    return use(stores);
  };
  return withFreshStore(fillAndUse, { isBare: true });
}

const CUT_EVERY = 7;
const SILENT = createLogger({ format: 'json', level: 'silent', colors: false, write: () => {} });

/** Stores that today's code makes from nothing. */
let upToOld: StorePrint;
let whole: StorePrint;

beforeAll(async () => {
  upToOld = await withFreshStore(async (stores) => {
    await indexInto(stores, { toHeight: OLD_HEIGHT });
    return printOf(stores);
  });
  const folder = await temporaryFolder();
  await copyRecordedStore(`${folder.path}/whole`);
  whole = await storePrint(`${folder.path}/whole`);
  await folder.remove();
}, 120_000);

/** Without what tells of the run: when and how often the chain was asked about itself. */
function chainsOwn({ digest, tables }: StorePrint): StorePrint {
  return { digest, tables: Object.fromEntries(Object.entries(tables).filter(([name]) => name !== 'facts')) };
}

/** The last line of `strata digest`, as it is where no module derives. */
async function digestWithoutModules(store: Store): Promise<string> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw new Error('the store is empty');
  const rows = new Map(
    [...checkpoint.rows].filter(([table]) => countedRows(checkpoint, table) === undefined),
  );
  const lines: string[] = [];
  const none = { generations: new Map(), tableGenerations: new Map() };
  for await (const range of rangeDigests(store, { ...checkpoint, ...none, rows })) {
    lines.push(`${range.fromHeight} ${range.toHeight} ${range.sha256}`);
  }
  return lines.at(-1) ?? '';
}

describe('a store of the first schema', () => {
  it('is served and digested as it is, as long as nobody indexes into it', async () => {
    await withOldStore(async (stores) => {
      expect((await digestLines(stores)).at(-1)).toBe(OLD_DIGEST);
      const { api, snapshot, close } = await openApi(stores, SILENT);
      expect(snapshot()).toMatchObject({ indexedHeight: OLD_HEIGHT, reconciliations: 0, driftTotal: 0 });
      const { status } = await api.handle('GET', `/v1/blocks/${OLD_HEIGHT}`);
      expect(status).toBe(200);
      // as on a chain without modules
      const answerTo = async (target: string): Promise<unknown> =>
        JSON.parse(Buffer.from((await api.handle('GET', target)).body).toString());
      expect(await answerTo(`/v1/lookup/${OLD_HEIGHT}`)).toEqual({
        query: String(OLD_HEIGHT),
        candidates: [{ type: 'block', id: String(OLD_HEIGHT) }],
      });
      expect(await answerTo('/v1/assets')).toEqual({ assets: [], next_cursor: null });
      expect(await answerTo('/v1/invariants')).toEqual({
        checks: [],
        tok20_registry: [],
        exports: [],
        drift: [],
      });
      const account = `/v1/accounts/0x${'11'.repeat(20)}`;
      expect(await answerTo(account)).toMatchObject({ assets: [], claimable: [], pending_settlements: [] });
      expect(await answerTo(`${account}/events`)).toMatchObject({ events: [], next_cursor: null });
      expect(await answerTo('/v1/settlements/1')).toMatchObject({ code: 'not_found' });
      expect(await answerTo(`/v1/assets/${'ab'.repeat(32)}`)).toMatchObject({ code: 'not_found' });
      await close();
    });
  }, 120_000);

  it('is brought to the newest one with all its rows, and counts as a new one would', async () => {
    await withOldStore(async (stores) => {
      const warnings: string[] = [];
      const commits = await indexInto(stores, { toHeight: OLD_HEIGHT, warnings });
      // nothing was indexed again, nothing repaired
      expect({ commits, warnings }).toEqual({ commits: [], warnings: [] });
      const store = await stores.open('look');
      expect(await readSchemaVersion(store)).toBe((await loadMigrations()).at(-1)?.version);
      const print = await printOf(stores);
      expect(await digestWithoutModules(store)).toBe(OLD_DIGEST);
      expect(Object.keys(print.tables)).toEqual(
        expect.arrayContaining(Object.keys(OLD_TABLES).filter((table) => table !== 'source_heads')),
      );
      expect(chainsOwn(print)).toEqual(chainsOwn(upToOld));
    });
  }, 120_000);

  it('survives a migration that is cut short again and again, and goes on to the store of an undisturbed run', async () => {
    const newer = (await loadMigrations()).filter(({ version }) => version > 1);
    const statements = newer.reduce((sum, migration) => sum + migration.statements.length, 0);
    expect(statements).toBeGreaterThan(0);
    await withOldStore(async (stores) => {
      const store = await stores.open('upgrade');
      // a cut has all statements before it run once more: a few of them run each twice, and more
      for (let allowed = 0; allowed < statements; allowed += CUT_EVERY) {
        let left = allowed;
        const dying: Store = {
          ...store,
          async command(sql) {
            if (left-- === 0) throw new Error('killed');
            await store.command(sql);
          },
        };
        // a version that was recorded is not run again, so later ones need fewer statements
        await migrate(dying).catch((error: unknown) => expect(error).toMatchObject({ message: 'killed' }));
      }
      const commits = await indexInto(stores);
      expect(commits.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(501 - OLD_HEIGHT);
      expect(chainsOwn(await printOf(stores))).toEqual(chainsOwn(whole));
    });
  }, 120_000);

  // embedded in either suite: a SET holds for a session, and over HTTP there is none
  it('is upgraded and emptied however large its tables are for the server', async () => {
    const folder = await temporaryFolder();
    const stores = await openEmbedded({ folder: folder.path });
    try {
      await fillOldStore(stores);
      const store = await stores.open('large');
      // every table is above it
      await store.command('SET max_table_size_to_drop = 1');
      await expect(store.command('DROP TABLE txs SYNC')).rejects.toMatchObject({
        message: expect.stringContaining('max_[table/partition]_size_to_drop'),
      });
      await migrate(store);
      expect((await countRows(store, ['txs'])).get('txs')).toBe(OLD_TABLES.txs?.rows);
      await rebuildCounts(store, OLD_HEIGHT);
      await rebuildCounts(store, OLD_HEIGHT);
      await repairAboveCheckpoint(store, HEIGHT_TABLES, undefined);
    } finally {
      await stores.close();
      await folder.remove();
    }
  }, 120_000);

  it('whose last commit was cut short is repaired on the way', async () => {
    await withOldStore(async (stores) => {
      const store = await stores.open('cut');
      for (const rows of [
        `checkpoints WHERE height = ${OLD_HEIGHT}`,
        `txs_per_day WHERE height = ${OLD_HEIGHT}`,
      ])
        await store.command(`DELETE FROM ${rows} SETTINGS lightweight_deletes_sync = 2`);
      const warnings: string[] = [];
      const commits = await indexInto(stores, { toHeight: OLD_HEIGHT, warnings });
      expect(warnings).toEqual(['removed rows of a commit that was cut short']);
      expect(commits[0]?.firstHeight).toBe(1);
      expect(commits.at(-1)?.height).toBe(OLD_HEIGHT);
      expect(chainsOwn(await printOf(stores))).toEqual(chainsOwn(upToOld));
    });
  }, 120_000);
});
