import { chainSection } from 'strata-devnet/chain-section';
import { type EthereumRpcServer, startEthereumRpc } from 'strata-devnet/evm-rpc/server';
import { keccak256 } from 'strata-kit/hash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const BLOCKS = 110;
/** Those that come while the API answers. */
const MORE = 3;
/** Of the first day alone, around each midnight, within a day and around empty days. */
const HEIGHTS = [1, 2, 10, 11, 12, 30, 31, 38, 45, 46, 70, 71, 99, 100];

describe('a chain of four weeks', () => {
  let index: IndexedDevnet;
  let ethereum: EthereumRpcServer;
  let all: AllTxs;
  let logs: Awaited<ReturnType<typeof readLogs>>;
  let head: NetworkStatsJson;
  let next: NetworkStatsJson;

  beforeAll(async () => {
    index = await openDevnetIndex({ seed: 3, blocks: BLOCKS, clockScript: WEEKS });
    head = await index.api.get('/v1/stats/network');
    await index.goOn(MORE);
    next = await index.api.get('/v1/stats/network');
    const { chain, app, parameters, readerAt, simulations } = index.devnet;
    ethereum = await startEthereumRpc({
      source: { chain, codec: app.codec, parameters, readerAt, simulations },
      port: 0,
    });
    all = await readAllTxs(index.api, HRP);
    logs = await readLogs();
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

  /** Heights of what the contracts log, once a log. */
  async function readLogs(): Promise<Record<'swaps' | 'mints' | 'repaid', readonly number[]>> {
    const section = chainSection(index.devnet.app.parameters);
    const count = Number(
      await rpc('eth_call', { to: section.evm.factory, data: `0x${selector('allPairsLength()')}` }, 'latest'),
    );
    const pairs: string[] = [];
    for (let i = 0; i < count; i++) {
      pairs.push(`0x${(await call(section.evm.factory, 'allPairs(uint256)', i)).slice(-40)}`);
    }
    return {
      swaps: await logHeights(pairs, 'Swap(address,uint256,uint256,uint256,uint256,address)'),
      mints: await logHeights(pairs, 'Mint(address,uint256,uint256)'),
      repaid: await logHeights([section.evm.lendingMarket], 'Repay(address,uint256)'),
    };
  }

  /** What the answer as of a height must be. */
  async function expectedAt(height: number): Promise<Omit<NetworkStatsJson, 'indexed_height'>> {
    const section = chainSection(index.devnet.app.parameters);
    const upTo = (found: readonly number[]) => found.filter((each) => each <= height);
    const [swaps, mints, repaid] = [logs.swaps, logs.mints, logs.repaid].map(upTo) as [
      number[],
      number[],
      number[],
    ];
    const assets = await list('asset', 'assets', height);
    const accruals = await list('payout', 'accruals', height);
    const settlements = await list('settlement', 'settlements', height);
    const parts = partsAt(all, height);
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
    expect(head).toEqual({ indexed_height: BLOCKS, ...(await expectedAt(BLOCKS)) });
    expect(head.daily.map(({ day }) => day)).toEqual(daysUpTo(dayAt(BLOCKS)));
  });

  it('has the same as of any height', async () => {
    for (const height of HEIGHTS) {
      const reading = await readingAt(index, height);
      const totals = await networkTotals(reading);
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
    expect(next).toEqual({ indexed_height: BLOCKS + MORE, ...(await expectedAt(BLOCKS + MORE)) });
    expect(next.totals).not.toEqual(head.totals);
  });
});

function hashOf(signature: string): string {
  return Buffer.from(keccak256(Buffer.from(signature))).toString('hex');
}

function selector(signature: string): string {
  return hashOf(signature).slice(0, 8);
}
