import { fileURLToPath } from 'node:url';
import { type ChainSection, chainSection } from 'strata-devnet/chain-section';
import { createLogger } from 'strata-kit/cli/logging';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openApi, type ServedApi } from '../../src/cli/serving.ts';
import { plainParameters } from '../../src/derive/derivation.ts';
import { createDeriver } from '../../src/derive/deriver.ts';
import { MODULES } from '../../src/modules/modules.ts';
import type { ConfiguredDerivation } from '../../src/pipeline/derive-options.ts';
import { createWriter } from '../../src/pipeline/writer.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { readFacts } from '../../src/store/facts.ts';
import { countRows } from '../../src/store/repair.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { type IndexRun, indexInto } from '../support/indexing.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a chain is configured with: kept by the store, won over by what is given, and what depends on it made anew once. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ZERO = `0x${'0'.repeat(40)}`;
const DERIVATIONS = MODULES.flatMap(({ derivation }) => derivation ?? []);
const OF_MARKETS = ['dex', 'network', 'quests'];

let node: DevnetNode;
let section: ChainSection;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stores: StoreFactory;
let store: Store;
let height = 40;
let served: ServedApi;

beforeAll(async () => {
  node = await startDevnetNode({ blocks: 80 });
  section = chainSection(node.devnet.app.parameters);
  folder = await temporaryFolder();
  stores = await openTestStores(folder.path);
  await run();
  store = await stores.open('test');
  // a process of the API that was there before anything was configured
  served = await openApi(
    stores,
    createLogger({ format: 'json', level: 'silent', colors: false, write: () => {} }),
  );
});
afterAll(async () => {
  await served.close();
  await store.close();
  await stores.close();
  await folder.remove();
  await node.close();
});

/** A run of `strata index` over some more blocks; what it says of modules. */
async function run(
  parameters: IndexRun['parameters'] = {},
  more = 1,
  modulePaths: readonly string[] = [],
): Promise<readonly string[]> {
  const infos: string[] = [];
  height += more;
  await indexInto(stores, { source: node.source, toHeight: height, parameters, modulePaths, infos });
  return infos.filter((text) => text.startsWith('derived ')).map((text) => text.replace(/ from .*$/, ''));
}

async function rowsOf(table: string): Promise<number> {
  return (await countRows(store, [table])).get(table) ?? 0;
}

async function generations(): Promise<ReadonlyMap<string, number>> {
  return (await readCheckpoint(store))?.generations ?? new Map();
}

/** The status of a price: whether an API that was opened before knows the stable coin and the pairs. */
async function priceStatus(): Promise<number> {
  served.notify('changed');
  await served.untilShown(height, new AbortController().signal);
  await systemClock.sleep(50);
  return (await served.api.handle('GET', '/v1/prices/native')).status;
}

it('without any configuration there are no pairs, and network and quests derive all the same', async () => {
  expect([await rowsOf('dex_pairs'), await priceStatus()]).toEqual([0, 404]);
  expect(await rowsOf('network_counts')).toBeGreaterThan(0);
  expect(await rowsOf('quest_completions')).toBeGreaterThan(0);
});

it('configured later, the rows that depend on it are made anew, and no others', async () => {
  const before = await generations();
  expect(await run(section)).toEqual(['derived dex, network, quests']);
  const after = await generations();
  const changed = [...after].filter(([module, generation]) => before.get(module) !== generation);
  expect(changed.map(([module]) => module).sort()).toEqual(OF_MARKETS);
  expect(await rowsOf('dex_pairs')).toBeGreaterThan(0);
  expect(await rowsOf('dex_syncs')).toBeGreaterThan(0);
  expect(await priceStatus()).toBe(200);
});

it('once only', async () => {
  expect(await run(section)).toEqual([]);
});

it('left out it stays', async () => {
  const pairs = await rowsOf('dex_pairs');
  const syncs = await rowsOf('dex_syncs');
  expect(await run()).toEqual([]);
  expect([await rowsOf('dex_pairs'), await priceStatus()]).toEqual([pairs, 200]);
  expect(await rowsOf('dex_syncs')).toBeGreaterThanOrEqual(syncs);
  const kept = await readFacts(store);
  expect(kept.get('evm_factory')).toBe(section.evm.factory);
  expect(JSON.parse(kept.get('service_accounts') ?? '')).toEqual(
    section.serviceAccounts.filter((account) => account !== section.faucet),
  );
});

it('a stable denom that the reference chain has not stays too', async () => {
  expect(await run({ stableDenom: 'uother' })).toEqual(['derived network']);
  expect(await run()).toEqual([]);
  expect((await readFacts(store)).get('stable_denom')).toBe('uother');
  expect(await run({ stableDenom: section.stableDenom })).toEqual(['derived network']);
});

it('the faucet alone changes no list of service accounts', async () => {
  const [other = ''] = section.serviceAccounts.filter((account) => account !== section.faucet);
  expect(await run({ faucet: other, serviceAccounts: [other] })).toEqual(['derived network, quests']);
  expect(JSON.parse((await readFacts(store)).get('service_accounts') ?? '')).toContain(other);
  expect(await run({ faucet: section.faucet, serviceAccounts: section.serviceAccounts })).toHaveLength(1);
});

it('the zero address is no factory', async () => {
  const none = { ...section, evm: { ...section.evm, factory: ZERO } };
  expect(await run(none)).toEqual(['derived dex, network, quests']);
  expect([await rowsOf('dex_pairs'), await priceStatus()]).toEqual([0, 404]);
  expect(await run(section)).toEqual(['derived dex, network, quests']);
});

it.each(['reindex:begin', 'reindex:derived', 'reindex:switched', 'reindex:dropped'])(
  'killed at %s, the next start makes them once more, whether or not it is configured',
  async (at) => {
    // now another factory, now the chain's own again
    const hasPairs = (await rowsOf('dex_pairs')) > 0;
    const other = { ...section, evm: { ...section.evm, factory: section.evm.stable } };
    await expect(open(hasPairs ? other : section, at)).rejects.toThrow('killed');
    // the last that was given counts
    const derived = await run();
    expect(derived).toEqual(at === 'reindex:dropped' ? [] : ['derived dex, network, quests']);
    expect((await rowsOf('dex_pairs')) > 0).toBe(!hasPairs);
  },
);

it('killed behind the switch, the next start with what was configured before makes them once more too', async () => {
  const pairs = await rowsOf('dex_pairs');
  expect(pairs).toBeGreaterThan(0);
  const other = { ...section, evm: { ...section.evm, factory: section.evm.stable } };
  await expect(open(other, 'reindex:switched')).rejects.toThrow('killed');
  expect(await run(section)).toEqual(['derived dex, network, quests']);
  expect(await rowsOf('dex_pairs')).toBe(pairs);
});

it('derived by another version, a module and those that read it are made anew, once', async () => {
  await run(section);
  const dex = DERIVATIONS.find(({ module }) => module === 'dex');
  if (dex === undefined) throw new Error('no module dex');
  const readers = DERIVATIONS.filter(({ reads }) => reads.includes('dex')).map(({ module }) => module);
  const before = await generations();
  const made = async (): Promise<string[]> =>
    [...(await generations())].flatMap(([name, number]) => (before.get(name) === number ? [] : [name]));
  // modules know each other as objects, so this one is changed for the time being
  Object.assign(dex, { version: 2 });
  try {
    await open({}, 'never');
    expect((await made()).sort()).toEqual(['dex', ...readers].sort());
    const once = await generations();
    await open({}, 'never');
    expect(await generations()).toEqual(once);
  } finally {
    Reflect.deleteProperty(dex, 'version');
  }
  expect(await run()).toHaveLength(1);
});

/** A writer's start that ends when it comes to a step. */
async function open(configured: Partial<ConfiguredDerivation>, killedAt: string): Promise<void> {
  const session = await stores.open('killed');
  const limits = { commitBlocks: 50, commitBytes: 64_000_000, commitMs: 60_000 };
  const writer = createWriter({
    store: session,
    setup: { spoolFolder: `${stores.spoolFolder}/killed`, limits, dropAfterMs: 0 },
    onCommit: () => undefined,
    onFailure: () => undefined,
    step: (step) => {
      if (step === killedAt) throw new Error('killed');
    },
    derive: { derivations: DERIVATIONS, parameters: { namespace: 'aeva', ...configured } },
  });
  try {
    await writer.open();
  } finally {
    await session.close();
  }
}

it('what a module alone has is read by its schema, kept, and made anew where it changes', async () => {
  const paths = [fileURLToPath(new URL('../../examples/modules/settled-per-day/module.js', import.meta.url))];
  const runWith = (modules: Readonly<Record<string, Readonly<Record<string, string>>>>, more = 1) =>
    run({ modules }, more, paths);
  const wrong = runWith({ settled_per_day: { utc_offset_hours: '26' } }, 0);
  await expect(wrong).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/^chain\.modules\.settled_per_day\.utc_offset_hours must be /),
  });
  await expect(runWith({ nobody: {} }, 0)).rejects.toThrow('chain.modules.nobody: no module of that name');
  const joined = await runWith({ settled_per_day: { utc_offset_hours: '13' } });
  expect(joined).toEqual([expect.stringMatching(/^derived .*settled_per_day/)]);
  const days = () => rowsOf('settled_per_day');
  expect(await days()).toBeGreaterThan(0);
  expect(await runWith({})).toEqual([]);
  expect(await runWith({ settled_per_day: { utc_offset_hours: '0' } })).toEqual(['derived settled_per_day']);
});

it('a module that looks at what it does not name stops at once', async () => {
  const silent = {
    module: 'silent',
    tables: [],
    reads: [],
    open: ({ parameters }: { readonly parameters: { readonly faucet: string | undefined } }) => {
      void parameters.faucet;
      throw new Error('it was let through');
    },
  };
  const options = { parameters: plainParameters('aeva', 'aeva', 'uusd'), generations: new Map() };
  expect(() => createDeriver({ ...options, derivations: [silent] })).toThrow(/silent .* faucet .* dependsOn/);
});
