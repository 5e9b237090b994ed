import { type ChainSection, chainSection } from 'strata-devnet/chain-section';
import { createLogger } from 'strata-kit/cli/logging';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openApi } from '../../src/cli/serving.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { tablesOf } from '../../src/modules/load.ts';
import { baseModulesOf, MODULES } from '../../src/modules/modules.ts';
import { createWriter, type Writer } from '../../src/pipeline/writer.ts';
import { openStateAt } from '../../src/reconcile/state-at.ts';
import { type Checkpoint, readCheckpoint, replaceCheckpoint } from '../../src/store/checkpoints.ts';
import { generationTables } from '../../src/store/generations.ts';
import { countRows } from '../../src/store/repair.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { indexInto, withFreshStore } from '../support/indexing.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Stores in which only some modules derive: of the schema before markets, and such as begin late. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const BLOCKS = 60;
const SILENT = createLogger({ format: 'json', level: 'silent', colors: false, write: () => {} });
const DERIVATIONS = MODULES.flatMap(({ derivation }) => derivation ?? []);
const OF_MARKETS = ['dex', 'network', 'quests'];
const OTHERS = DERIVATIONS.map(({ module }) => module).filter((module) => !OF_MARKETS.includes(module));

let node: DevnetNode;
let section: ChainSection;
beforeAll(async () => {
  node = await startDevnetNode({ blocks: BLOCKS });
  section = chainSection(node.devnet.app.parameters);
});
afterAll(() => node.close());

/** Every route, with what the store holds in its path. */
async function answers(
  stores: StoreFactory,
): Promise<ReadonlyMap<string, { status: number; body: unknown }>> {
  const session = await stores.open('look');
  const text = async (sql: string): Promise<string> => {
    const row = new RowReader(await session.query(sql));
    return row.done ? '' : row.string();
  };
  const account = await text('SELECT account FROM account_txs ORDER BY account LIMIT 1');
  const asset = await text('SELECT asset_id FROM assets ORDER BY asset_id LIMIT 1');
  const hash = await text('SELECT hex(hash) FROM txs ORDER BY height LIMIT 1');
  await session.close();
  const given: Readonly<Record<string, string>> = {
    addr: account,
    id: asset,
    hash,
    height: '9',
    q: account,
    asset: 'native',
  };
  const { api, close } = await openApi(stores, SILENT);
  const found = new Map<string, { status: number; body: unknown }>();
  const { ROUTES } = await import('../../src/api/routes.ts');
  for (const { path } of [...ROUTES, ...MODULES.flatMap(({ routes }) => routes)]) {
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '1');
    const { status, body } = await api.handle('GET', target);
    const read = Buffer.from(body)
      .toString()
      // by the clock, and signed with the schema's version
      .replace(/("wall_clock_lag_seconds":)\d+/, '$10')
      .replaceAll(/("\w+_cursor":)"[^"]*"/g, '$1"a cursor"');
    found.set(path, { status, body: path.startsWith('/v1') ? JSON.parse(read) : read });
  }
  await close();
  return found;
}

const TABLES = tablesOf(MODULES).filter(({ module }) => OF_MARKETS.includes(module));

async function dropTables(store: Store): Promise<void> {
  for (const { name } of TABLES) {
    for (const view of [`${name}_now`, `${name}_history`, `${name}_view`])
      await store.command(`DROP VIEW IF EXISTS ${view} SYNC`);
    await store.command(`DROP TABLE ${name} SYNC`);
  }
}

/** The store as a Strata without markets has left it, but for their tables, which are empty. */
async function bringBack(store: Store): Promise<void> {
  const tables = TABLES.map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(5);
  for (const table of tables) await store.command(`TRUNCATE TABLE ${table}`);
  for (const table of ['drift', 'module_digests']) {
    const modules = OF_MARKETS.map((module) => `'${module}'`).join(', ');
    await store.command(
      `DELETE FROM ${table} WHERE module IN (${modules}) SETTINGS lightweight_deletes_sync = 2`,
    );
  }
  await store.command(
    "DELETE FROM facts WHERE key LIKE 'made_with:%' OR key LIKE 'evm\\_%' AND key != 'evm_denom' " +
      "OR key IN ('faucet', 'service_accounts', 'stable_denom') " +
      'SETTINGS lightweight_deletes_sync = 2',
  );
  const checkpoint = await newest(store);
  const without = <T>(map: ReadonlyMap<string, T>, names: readonly string[]) =>
    new Map([...map].filter(([name]) => !names.includes(name)));
  const shared = await countRows(store, ['drift', 'module_digests']);
  await replaceCheckpoint(store, {
    ...checkpoint,
    rows: new Map([...without(checkpoint.rows, tables), ...shared]),
    generations: without(checkpoint.generations, OF_MARKETS),
    tableGenerations: without(checkpoint.tableGenerations, tables),
  });
}

async function newest(store: Store): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw new Error('the store is empty');
  return checkpoint;
}

/** By module, its digests of all heights in one. */
async function moduleDigests(store: Store): Promise<ReadonlyMap<string, string>> {
  const row = new RowReader(
    await store.query(
      'SELECT toString(module) AS name, hex(groupBitXor(sipHash64(height, digest))) FROM module_digests GROUP BY name ORDER BY name',
    ),
  );
  const digests = new Map<string, string>();
  while (!row.done) digests.set(row.string(), row.string());
  return digests;
}

async function openWriter(stores: StoreFactory, killedAt?: string) {
  const store = await stores.open('writer');
  const limits = { commitBlocks: 50, commitBytes: 64_000_000, commitMs: 60_000 };
  const writer: Writer = createWriter({
    store,
    setup: { spoolFolder: `${stores.spoolFolder}/upgrade`, limits, dropAfterMs: 0 },
    onCommit: () => undefined,
    onFailure: () => undefined,
    step: (step, table) => {
      if (killedAt === (table === undefined ? step : `${step}/${table}`)) throw new Error('killed');
    },
    derive: { derivations: DERIVATIONS, parameters: section },
  });
  try {
    return await writer.open();
  } finally {
    await store.close();
  }
}

describe('a store from before there were markets', () => {
  it('is served as before, and gets dex, network and quests when it is opened, whatever kills that', () =>
    withFreshStore(async (stores) => {
      await indexInto(stores, { source: node.source, toHeight: BLOCKS, parameters: section });
      const store = await stores.open('test');
      const whole = await answers(stores);
      const digests = await moduleDigests(store);
      const { generations } = await newest(store);
      expect(whole.get('/v1/stats/network')?.status).toBe(200);
      expect(whole.get('/v1/prices/{asset}')?.status).toBe(200);
      await bringBack(store);

      const before = await answers(stores);
      const markets = new Set(
        MODULES.filter(({ name }) => OF_MARKETS.includes(name)).flatMap(({ routes }) =>
          routes.map(({ path }) => path),
        ),
      );
      for (const [path, answer] of before) {
        expect([path, [200, 400, 404].includes(answer.status)]).toEqual([path, true]);
        if (!markets.has(path)) expect([path, answer]).toEqual([path, whole.get(path)]);
      }
      expect(before.get('/v1/quests/leaderboard')).toMatchObject({ status: 200 });
      expect(before.get('/v1/prices/{asset}')?.status).toBe(404);
      await dropTables(store);
      await expect(answers(stores)).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(
          /has no table dex_\w+ of the module dex: .* with this version of Strata/,
        ),
      });

      for (const killedAt of ['migrate:done', 'reindex:insert/network_counts', 'reindex:switched']) {
        await expect(openWriter(stores, killedAt), killedAt).rejects.toThrow('killed');
      }
      const { rederived } = await openWriter(stores);
      // the last kill came behind the switch: what rows were made with was not written down
      expect(rederived?.modules).toEqual(OF_MARKETS);
      const after = await newest(store);
      for (const module of OTHERS.filter((name) => name !== 'activity')) {
        expect([module, after.generations.get(module)]).toEqual([module, generations.get(module)]);
      }
      expect(await moduleDigests(store)).toEqual(digests);
      expect(await openWriter(stores)).toMatchObject({ deletedRows: 0, stepBack: undefined });
      const again = await answers(stores);
      for (const [path, answer] of again) {
        if (path !== '/v1/quests/leaderboard') expect([path, answer]).toEqual([path, whole.get(path)]);
      }
      await store.close();
    }));
});

describe('a store that begins late', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let stores: StoreFactory;
  let store: Store;
  const run = () => ({ source: node.source, parameters: section });
  beforeAll(async () => {
    folder = await temporaryFolder();
    stores = await openTestStores(folder.path);
    await indexInto(stores, { ...run(), fromHeight: 20, toHeight: 40 });
    store = await stores.open('test');
  });
  afterAll(async () => {
    await stores.close();
    await folder.remove();
  });

  it('has no views among the tables of modules, and each makes a row of a row', async () => {
    const tables = await generationTables(store);
    const rows = new RowReader(
      await store.query(`SELECT name, extract(create_table_query, ' TO (?:\\\\w+\\\\.)?(\\\\w+)'), as_select FROM system.tables
WHERE database = currentDatabase() AND engine = 'MaterializedView' ORDER BY name`),
    );
    const filled: string[] = [];
    while (!rows.done) {
      const [view, target, select] = [rows.string(), rows.string(), rows.string()];
      expect(tables).not.toContain(view);
      if (!tables.includes(target)) continue;
      filled.push(target);
      expect([view, /\b(GROUP BY|DISTINCT|LIMIT)\b/i.test(select)]).toEqual([view, false]);
    }
    const named = DERIVATIONS.flatMap(({ tables }) =>
      tables.flatMap(({ name, facts }) => (facts.filledBy === undefined ? [] : [name])),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(filled.sort()).toEqual([...named].sort());
  });

  it('has modules of the base layer alone', async () => {
    expect([...(await newest(store)).generations.keys()]).toEqual([...baseModulesOf()]);
    // nothing to compare with the chain
    expect(await openStateAt(store)).toBeUndefined();
    const found = await answers(stores);
    for (const [path, { status }] of found) {
      expect([path, [200, 400, 404].includes(status)]).toEqual([path, true]);
    }
    expect(found.get('/v1/stats/network')).toMatchObject({ status: 200 });
    expect(found.get('/v1/assets')?.body).toEqual({ assets: [], next_cursor: null });
    const applied = new RowReader(
      await store.query("SELECT count() FROM typed_events WHERE type LIKE 'aeva.%'"),
    );
    expect(applied.u64()).toBeGreaterThan(0);
    const { api, close } = await openApi(stores, SILENT);
    const { body } = await api.handle('GET', '/v1/txs?limit=100');
    expect(Buffer.from(body).toString()).toContain('"decoded":{');
    expect(Buffer.from(body).toString()).not.toContain('"applied":true');
    await close();
  });

  it('derives the base layer again, and refuses one of the others by name', async () => {
    const before = await moduleDigests(store);
    const limits = { commitBlocks: 50, commitBytes: 64_000_000, commitMs: 60_000 };
    const writer = createWriter({
      store,
      setup: { spoolFolder: `${stores.spoolFolder}/again`, limits, dropAfterMs: 0 },
      onCommit: () => undefined,
      onFailure: () => undefined,
      derive: { derivations: DERIVATIONS, parameters: { namespace: 'aeva' } },
    });
    await writer.open();
    await expect(writer.rederive('rights')).rejects.toMatchObject({
      message: expect.stringMatching(/^modules are off/),
    });
    await expect(writer.rederive('dex')).rejects.toMatchObject({
      message: expect.stringMatching(/^module dex cannot be derived by itself, as network depends on it/),
    });
    expect((await writer.rederive()).modules).toEqual([...baseModulesOf()]);
    await new Promise(setImmediate);
    expect((await writer.rederive('network')).modules).toEqual(['network']);
    expect(await moduleDigests(store)).toEqual(before);
    await writer.finish();
  });

  it('has the others as soon as they are forced', async () => {
    const modules: string[] = [];
    const onOpen = (indexing: { modules(): string }) => modules.push(indexing.modules());
    const infos: string[] = [];
    await indexInto(stores, { ...run(), toHeight: 45, onOpen });
    await indexInto(stores, { ...run(), toHeight: 50, onOpen, infos, forceModules: true });
    expect(modules).toEqual(['off', 'forced']);
    expect(infos.join('\n')).toMatch(/derived asset, .*quests.* from 26 stored blocks/);
    expect((await newest(store)).generations.size).toBe(DERIVATIONS.length);
  });
});
