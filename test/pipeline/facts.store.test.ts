import { chainSection } from 'strata-devnet/chain-section';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { splitRange } from '../../src/chain/envelope.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { plainHex } from '../../src/core/parameter-facts.ts';
import { createDecoder } from '../../src/decode/decoder.ts';
import type { DecodedRange } from '../../src/decode/range.ts';
import { plainParameters } from '../../src/derive/derivation.ts';
import { createDeriver } from '../../src/derive/deriver.ts';
import { type BlockFacts, type FactFilter, NO_WISHES } from '../../src/derive/facts.ts';
import { readNativeFacts } from '../../src/derive/native-facts.ts';
import { MINT, PAIR_CREATED, SWAP, SYNC, topicOf } from '../../src/modules/dex/logs.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { type StoredFactsOptions, storedFacts } from '../../src/pipeline/stored-facts.ts';
import { readDescriptorSets, readFacts } from '../../src/store/facts.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { recordedSource, withStore } from '../support/indexing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** What the writer reads from Native blocks is what the store gives back, however it is cut. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const REPAY = topicOf('Repay(address,uint256)');
const PAIRS = (factory: string) => ({
  address: factory,
  topics: [],
  children: { told: PAIR_CREATED, topics: [SYNC, SWAP, MINT] },
});
const DERIVED = createDeriver({
  derivations: MODULES.flatMap(({ derivation }) => derivation ?? []),
  parameters: plainParameters('aeva', 'aeva', 'uusd'),
  generations: new Map(),
}).filter;
/** Every chain has these, which have no proto: of txs and of blocks. */
const WITH_PLAIN_EVENTS = {
  ...DERIVED,
  eventTypes: new Set([...DERIVED.eventTypes, 'transfer', 'commission']),
};

/** Blocks as the store's own context decodes them, in ranges of so many heights. */
async function decodedRanges(
  store: Store,
  source: BlockSource,
  heights: number,
  rangeHeights: number,
): Promise<readonly DecodedRange[]> {
  const facts = await readFacts(store);
  const decoder = createDecoder({
    hrp: facts.get('hrp') ?? '',
    namespace: facts.get('namespace') ?? '',
    evmDenom: facts.get('evm_denom') ?? '',
    moduleAccounts: JSON.parse(facts.get('module_accounts') ?? '[]') as string[],
    ethereumTypeUrls: JSON.parse(facts.get('ethereum_type_urls') ?? '[]') as string[],
    descriptorSets: await readDescriptorSets(store),
  });
  const ranges: DecodedRange[] = [];
  for (let from = 1; from <= heights; from += rangeHeights) {
    const raw = await source.fetch(from, Math.min(heights, from + rangeHeights - 1));
    ranges.push(decoder.decodeRange(splitRange(raw), raw.byteLength));
  }
  return ranges;
}

/** Accounts are a set; logs of those whom the factory has not made are told apart by whoever looks at them. */
function comparable(blocks: readonly BlockFacts[], filter: FactFilter): readonly BlockFacts[] {
  const makers = new Set(filter.logs.flatMap(({ address, children }) => (children ? [address] : [])));
  const known = new Set(filter.logs.map(({ address }) => address));
  for (const { address, topics, data } of blocks.flatMap(({ logs }) => logs)) {
    const isTold = makers.has(address) && topics[0] === PAIR_CREATED;
    if (isTold) known.add(Buffer.from(data.subarray(12, 32)).toString('hex'));
  }
  return blocks.map((block) => ({
    ...block,
    logs: block.logs.filter(({ address }) => known.has(address)),
    accounts: [...block.accounts].sort(),
  }));
}

async function readStored(
  store: Store,
  filter: FactFilter,
  toHeight: number,
  limits: Partial<StoredFactsOptions> = {},
): Promise<{ readonly blocks: readonly BlockFacts[]; readonly ranges: number }> {
  const blocks: BlockFacts[] = [];
  let ranges = 0;
  let before = 0;
  for await (const range of storedFacts(store, { filter, fromHeight: 0, toHeight, ...limits })) {
    expect(range.toHeight).toBeGreaterThan(before);
    expect(range.blocks.map(({ height }) => height)).toEqual(
      Array.from({ length: range.toHeight - before }, (_, i) => before + 1 + i),
    );
    expect(range.events).toBe(range.blocks.flatMap(({ events }) => events).length);
    blocks.push(...range.blocks);
    before = range.toHeight;
    ranges++;
  }
  expect(before).toBe(toHeight);
  return { blocks, ranges };
}

describe('of the reference chain', () => {
  const BLOCKS = 80;
  let index: IndexedDevnet;
  let store: Store;
  let filter: FactFilter;
  let ranges: readonly DecodedRange[];
  let decoded: readonly BlockFacts[];

  beforeAll(async () => {
    index = await openDevnetIndex({ blocks: BLOCKS });
    store = await index.api.stores.open('test');
    const { evm, serviceAccounts } = chainSection(index.devnet.app.parameters);
    const [factory = '', market = ''] = [plainHex(evm.factory), plainHex(evm.lendingMarket)];
    filter = {
      ...WITH_PLAIN_EVENTS,
      logs: [PAIRS(factory), { address: market, topics: [REPAY] }, { address: market, topics: [] }],
      transferSenders: new Set(serviceAccounts),
      evmTxs: true,
      accounts: true,
    };
    ranges = await decodedRanges(store, index.source, BLOCKS, 40);
    decoded = comparable(
      ranges.flatMap(({ headers, tables }) => readNativeFacts(headers, tables, filter)),
      filter,
    );
  });
  afterAll(() => index.close());

  it('there are some of each kind', () => {
    const count = (of: (block: BlockFacts) => number) => decoded.reduce((sum, block) => sum + of(block), 0);
    const told = new Set(decoded.flatMap(({ logs }) => logs.map(({ topics: [topic] }) => topic)));
    expect([...told].sort()).toEqual([PAIR_CREATED, SYNC, SWAP, MINT, REPAY].sort());
    expect(count(({ events }) => events.length)).toBeGreaterThan(100);
    expect(count(({ events }) => events.filter(({ type }) => type === 'transfer').length)).toBeGreaterThan(
      10,
    );
    expect(count(({ failedTxs }) => failedTxs.length)).toBeGreaterThan(0);
    expect(count(({ transfers }) => transfers.length)).toBeGreaterThan(0);
    expect(count(({ accounts }) => accounts.length)).toBeGreaterThan(100);
    const succeeded = count(({ evmTxs }) => evmTxs.length);
    expect(succeeded).toBeGreaterThan(10);
    // some failed
    expect(count(({ evmTxCount }) => evmTxCount)).toBeGreaterThan(succeeded);
    expect(count(({ txCount }) => txCount)).toBeGreaterThan(count(({ evmTxCount }) => evmTxCount));
  });

  it.each([
    [{}, BLOCKS, 1],
    [{ maxRows: 1, maxAccountRows: 1 }, 20, 20],
    [{ maxRows: 200, maxHeights: 9 }, BLOCKS, 9],
    [{ maxRows: 7 }, 40, 10],
    [{ maxAccountRows: 50 }, BLOCKS, 10],
    [{ maxAccountRows: 700 }, BLOCKS, 2],
  ])('stored ones are the same in ranges of %o up to %i', async (limits, toHeight, atLeast) => {
    const stored = await readStored(store, filter, toHeight, limits);
    expect(comparable(stored.blocks, filter)).toEqual(decoded.slice(0, toHeight));
    expect(stored.ranges).toBeGreaterThanOrEqual(atLeast);
  });

  it('stored logs are those that native ones hold of the wished contracts', async () => {
    const { blocks } = await readStored(store, filter, BLOCKS);
    // nothing of others
    expect(comparable(blocks, filter).map(({ logs }) => logs)).toEqual(blocks.map(({ logs }) => logs));
  });

  it('a range that came in halves has those of both', () => {
    const headers = ranges.flatMap((range) => range.headers);
    const tables = ranges.flatMap((range) => range.tables);
    expect(comparable(readNativeFacts(headers, tables, filter), filter)).toEqual(decoded);
  });

  it('nobody who asks for nothing gets anything', async () => {
    const nothing = { eventTypes: new Set<string>(), codespaces: new Set<string>(), ...NO_WISHES };
    const { blocks } = await readStored(store, nothing, BLOCKS);
    expect(blocks).toEqual(
      decoded.map(({ height, timeNs, txCount }) => ({
        height,
        timeNs,
        txCount,
        evmTxCount: 0,
        events: [],
        failedTxs: [],
        logs: [],
        transfers: [],
        evmTxs: [],
        accounts: [],
      })),
    );
  });

  it('events, logs, transfers and messages of failed txs are left out', async () => {
    const at = decoded.find(({ failedTxs }) => failedTxs.length > 0);
    const [failed] = at?.failedTxs ?? [];
    const [wished] = filter.logs;
    const [event] = decoded.flatMap(({ events }) => events);
    const place = `toUInt64(${at?.height}) AS height, toUInt32(${failed?.txIndex}) AS tx_index, toUInt32(90) AS`;
    await store.command(
      `INSERT INTO evm_logs SELECT * REPLACE (${place} log_index) FROM evm_logs ` +
        `WHERE address = unhex('${wished?.address}') AND topic0 = unhex('${PAIR_CREATED}') LIMIT 1`,
    );
    await store.command(
      `INSERT INTO evm_txs SELECT * REPLACE (${place} msg_index) FROM evm_txs WHERE status = 1 LIMIT 1`,
    );
    const sender = [...filter.transferSenders][0];
    await store.command(
      `INSERT INTO transfers SELECT * REPLACE (toUInt64(${at?.height}) AS height, toInt32(${failed?.txIndex}) AS tx_index, ` +
        `'${sender}' AS sender) FROM transfers LIMIT 1`,
    );
    await store.command(
      `INSERT INTO typed_events SELECT * REPLACE (toUInt64(${at?.height}) AS height, toInt32(${failed?.txIndex}) AS tx_index, ` +
        `toUInt32(5) AS code) FROM typed_events WHERE type = '${event?.type}' LIMIT 1`,
    );
    const { blocks } = await readStored(store, filter, BLOCKS);
    expect(comparable(blocks, filter)).toEqual(decoded);
  });
});

async function withRecordedStore(use: (stores: StoreFactory) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  await copyRecordedStore(`${folder.path}/store`);
  await withStore(`${folder.path}/store`, use);
  await folder.remove();
}

describe('of the recorded chain', () => {
  const FACTORY = '1C7d6078B8BF6297EAa01014Fb6c305F08982d3a';

  it('stored ones are those that were decoded', () =>
    withRecordedStore(async (stores) => {
      const store = await stores.open('test');
      const source = await recordedSource();
      const factory = FACTORY.toLowerCase();
      const filter = {
        ...WITH_PLAIN_EVENTS,
        logs: [PAIRS(factory)],
        transferSenders: new Set<string>(),
        evmTxs: true,
        accounts: true,
      };
      const ranges = await decodedRanges(store, source, 501, 50);
      await source.close();
      const decoded = comparable(
        ranges.flatMap(({ headers, tables }) => readNativeFacts(headers, tables, filter)),
        filter,
      );
      const plain = decoded.flatMap(({ events }) => events.filter(({ type }) => !type.includes('.')));
      expect(new Set(plain.map(({ type, txIndex }) => `${type} ${txIndex < 0}`))).toEqual(
        new Set([
          ...['transfer true', 'transfer false', 'commission true'],
          ...[
            'submit_proposal false',
            'proposal_deposit false',
            'proposal_vote false',
            'cancel_proposal false',
          ],
          ...['active_proposal true', 'inactive_proposal true'],
        ]),
      );
      expect(new Set(decoded.flatMap(({ logs }) => logs.map(({ topics: [topic] }) => topic))).size).toBe(4);
      for (const limits of [{}, { maxRows: 150, maxAccountRows: 500 }]) {
        const { blocks } = await readStored(store, filter, 501, limits);
        expect(comparable(blocks, filter)).toEqual(decoded);
      }
      await store.close();
    }));
});
