import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askChainFacts } from '../../src/chain/facts.ts';
import { keccak256 } from '../../src/core/hash.ts';
import { chainSection } from '../../src/devnet/chain-section.ts';
import { type EthereumRpcServer, startEthereumRpc } from '../../src/devnet/evm-rpc/server.ts';
import { networkDays, networkTotals } from '../../src/modules/network/network-read.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import {
  type AllTxs,
  daysUpTo,
  type NetworkStatsJson,
  partsAt,
  readAllTxs,
} from './support/network-stats.ts';
import { readingAt } from './support/reading.ts';

/**
 * /v1/stats/network against the chain's own state, blocks and receipts, as of several heights: in the head's answer, and
 * in what the route reads with as of older ones.
 */

const HRP = 'aeva';
const NS_PER_DAY = 86_400_000_000_000n;

/** A quarter of a day a block, a block at midnight to the nanosecond, empty days, and more than 14 days in all. */
const WEEKS = `
genesis: 2026-02-27T11:59:59.999999999Z
step: 6h
at:
  - { height: 11, set: 2026-03-02T00:00:00Z }
  - { height: 12, step: 1s }
  - { height: 30, set: 2026-03-02T23:59:59.999999999Z }
  - { height: 31, step: 1ns }
  - { height: 33, step: 5m }
  - { height: 45, jump: 72h }
  - { height: 70, jump: 250h }
  - { height: 80, step: 40s }
  - { height: 100, jump: 14h }
`;

interface Chain {
  readonly name: string;
  readonly seed: number;
  readonly blocks: number;
  readonly clockScript?: string;
  readonly heights: readonly number[];
}

const CHAINS: readonly Chain[] = [
  {
    name: 'of four weeks',
    seed: 3,
    blocks: 110,
    clockScript: WEEKS,
    heights: [1, 2, 10, 11, 12, 29, 30, 31, 32, 44, 45, 46, 69, 70, 71, 99, 100, 109, 110],
  },
  { name: 'of one day', seed: 8, blocks: 60, heights: [1, 17, 40, 60] },
];

describe.each(CHAINS)('a chain $name', ({ seed, blocks, clockScript, heights }) => {
  let index: IndexedDevnet;
  let ethereum: EthereumRpcServer;
  let all: AllTxs;
  let head: NetworkStatsJson;
  /** As the chain lists them. */
  let moduleAccounts: readonly string[];

  beforeAll(async () => {
    index = await openDevnetIndex({ seed, blocks, ...(clockScript === undefined ? {} : { clockScript }) });
    const { chain, app, parameters, readerAt, simulations } = index.devnet;
    ethereum = await startEthereumRpc({
      source: { chain, codec: app.codec, parameters, readerAt, simulations },
      port: 0,
    });
    ({ moduleAccounts } = await askChainFacts(index.source, { info: () => {}, warn: () => {} }));
    all = await readAllTxs(index.api, HRP);
    head = await index.api.get('/v1/stats/network');
  }, 180_000);
  afterAll(async () => {
    await ethereum?.close();
    await index?.close();
  });

  const rpc = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(ethereum.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  const call = async (to: string, signature: string, word: number): Promise<string> => {
    const data = `0x${selector(signature)}${word.toString(16).padStart(64, '0')}`;
    return String(await rpc('eth_call', { to, data }, 'latest'));
  };
  /** Heights of an event's logs, once a log. */
  const logHeights = async (addresses: readonly string[], signature: string): Promise<number[]> => {
    const topic = `0x${hashOf(signature)}`;
    const filter = { fromBlock: '0x1', toBlock: 'latest', address: addresses, topics: [topic] };
    const logs = (await rpc('eth_getLogs', filter)) as readonly { blockNumber: string }[];
    return logs.map(({ blockNumber }) => Number(blockNumber));
  };

  const blockAt = (height: number) => {
    const block = index.devnet.chain.block(height);
    if (block === undefined) throw new Error(`no block ${height}`);
    return block;
  };
  const dayAt = (height: number): string =>
    new Date(Number(blockAt(height).header.timeNs / 1_000_000n)).toISOString().slice(0, 10);
  const list = async (module: string, name: string, height: number) =>
    (await index.query(module, 'Export', {}, height))[name] as unknown as readonly Readonly<
      Record<string, string>
    >[];

  /** What the answer as of a height must be. */
  async function expectedAt(height: number): Promise<Omit<NetworkStatsJson, 'indexed_height'>> {
    const section = chainSection(index.devnet.app.parameters);
    const count = Number(
      await rpc('eth_call', { to: section.evm.factory, data: `0x${selector('allPairsLength()')}` }, 'latest'),
    );
    const pairs: string[] = [];
    for (let i = 0; i < count; i++) {
      pairs.push(`0x${(await call(section.evm.factory, 'allPairs(uint256)', i)).slice(-40)}`);
    }
    const upTo = (found: readonly number[]) => found.filter((each) => each <= height);
    const swaps = upTo(await logHeights(pairs, 'Swap(address,uint256,uint256,uint256,uint256,address)'));
    const mints = upTo(await logHeights(pairs, 'Mint(address,uint256,uint256)'));
    const repaid = upTo(await logHeights([section.evm.lendingMarket], 'Repay(address,uint256)'));
    const assets = await list('asset', 'assets', height);
    const accruals = await list('payout', 'accruals', height);
    const settlements = await list('settlement', 'settlements', height);
    const parts = partsAt(all, height, moduleAccounts, HRP);
    const blockHeights = Array.from({ length: height }, (_, i) => i + 1);
    const txs = blockHeights.flatMap((each) => blockAt(each).txs.map(() => each));
    const sum = (values: readonly (string | undefined)[]) =>
      values.reduce((total, value) => total + BigInt(value ?? 0), 0n);
    return {
      totals: {
        transactions: txs.length,
        evm_transactions: all.txs.filter((tx) => tx.height <= height && tx.evm !== null).length,
        accounts: parts.accounts,
        assets: assets.length,
        community_assets: assets.filter(({ issuer }) => !section.serviceAccounts.includes(issuer ?? ''))
          .length,
        settlements_settled: settlements.filter(({ status }) => status === 'STATUS_SETTLED').length,
        distributions: Number(sum(accruals.map((each) => each.distributions_count))),
        distributed_stable: String(
          sum(accruals.filter(({ denom }) => denom === 'uusd').map((each) => each.total_distributed)),
        ),
        swaps: swaps.length,
        liquidity_adds: mints.length,
        loans_repaid: repaid.length,
      },
      daily: daysUpTo(dayAt(height)).map((day) => ({
        day,
        transactions: txs.filter((each) => dayAt(each) === day).length,
        active_addresses: parts.activeOn(day),
        swaps: swaps.filter((each) => dayAt(each) === day).length,
      })),
    };
  }

  it('has all that is counted', async () => {
    const { totals } = head;
    expect(Object.values(totals).filter((value) => Number(value) === 0)).toEqual([]);
    expect(all.tookPart.some(({ account }) => account.length > 50)).toBe(true);
  });

  it('answers as of its head what the chain says', async () => {
    expect(head).toEqual({ indexed_height: blocks, ...(await expectedAt(blocks)) });
    expect(head.daily.map(({ day }) => day)).toEqual(daysUpTo(dayAt(blocks)));
  });

  it('has the same as of any height', async () => {
    for (const height of heights) {
      const reading = await readingAt(index, height);
      const totals = await networkTotals(reading, moduleAccounts);
      const last = Number(blockAt(height).header.timeNs / NS_PER_DAY);
      const days = await networkDays(reading, last, 14);
      const expected = await expectedAt(height);
      expect({ height, ...totals }).toEqual({ height, ...expected.totals });
      expect({ height, days }).toEqual({
        height,
        days: expected.daily.map(({ transactions, active_addresses, swaps }) => ({
          transactions,
          activeAddresses: active_addresses,
          swaps,
        })),
      });
    }
  }, 120_000);

  it('goes on with the next block', async () => {
    await index.goOn(3);
    all = await readAllTxs(index.api, HRP);
    const next = await index.api.get<NetworkStatsJson>('/v1/stats/network');
    expect(next).toEqual({ indexed_height: blocks + 3, ...(await expectedAt(blocks + 3)) });
  }, 120_000);
});

function hashOf(signature: string): string {
  return Buffer.from(keccak256(Buffer.from(signature))).toString('hex');
}

function selector(signature: string): string {
  return hashOf(signature).slice(0, 8);
}
