import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFacts } from '../../src/store/facts.ts';
import { openRecordedApi, type RecordedApi } from '../e2e/support/recorded-api.ts';
import {
  expectations,
  HRP,
  type OracleEvm,
  oracleEvm,
  oracleTxs,
  recordedBlocks,
} from '../support/oracle.ts';
import { RECORDED_CONTRACTS, recordedWorldWithContracts } from '../support/worlds.ts';
import {
  type AllTxs,
  daysUpTo,
  type NetworkStatsJson,
  partsAt,
  readAllTxs,
} from './support/network-stats.ts';

/** /v1/stats/network of a chain without asset modules, against what its own nodes and its workload's journal say. */

const HEAD = 501;
/** topic0 of v2-core's logs. */
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const MINT = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f';

const { pairs } = expectations() as unknown as { pairs: Readonly<Record<string, string>> };
const pairAddresses = new Set(Object.values(pairs).map((address) => address.toLowerCase()));

/** Of the whole chain: who takes part does not depend on where a store begins. */
let whole: AllTxs | undefined;

function logsOf(topic: string, from: number): number {
  const isOne = ({ address, topics }: { address: string; topics: readonly string[] }) =>
    topics[0] === topic && pairAddresses.has(address.toLowerCase());
  return oracleEvm()
    .filter(({ height }) => height >= from)
    .flatMap(({ receipt }: OracleEvm) => receipt?.logs ?? [])
    .filter(isOne).length;
}

describe.each([
  ['from its first block on', undefined],
  ['from its 200th block on', 200],
])('the recorded chain %s', (_name, from) => {
  const first = from ?? 1;
  let api: RecordedApi;
  let all: AllTxs;
  let moduleAccounts: readonly string[];
  let stats: NetworkStatsJson;

  beforeAll(async () => {
    // pairs that were made before the store begins are not known in it
    api =
      from === undefined
        ? await recordedWorldWithContracts()
        : await openRecordedApi(HEAD, systemClock, undefined, from, RECORDED_CONTRACTS);
    const store = await api.stores.open('facts');
    moduleAccounts = JSON.parse((await readFacts(store)).get('module_accounts') ?? '[]') as string[];
    await store.close();
    whole ??= await readAllTxs(api, HRP);
    const { txs, tookPart } = whole;
    const isHere = ({ height }: { readonly height: number }): boolean => height >= first;
    all = { txs: txs.filter(isHere), tookPart: tookPart.filter(isHere) };
    stats = await api.get('/v1/stats/network');
  }, 180_000);
  afterAll(() => api?.close());

  it('has the totals that its nodes and its workload tell', () => {
    expect(moduleAccounts.length).toBeGreaterThan(3);
    const upTo = partsAt(all, HEAD);
    expect(stats.totals).toEqual({
      transactions: oracleTxs().filter(({ height }) => height >= first).length,
      evm_transactions: oracleEvm().filter(({ height }) => height >= first).length,
      accounts: upTo.accounts,
      assets: 0,
      community_assets: 0,
      settlements_settled: 0,
      distributions: 0,
      distributed_stable: '0',
      swaps: from === undefined ? logsOf(SWAP, first) : stats.totals.swaps,
      liquidity_adds: from === undefined ? logsOf(MINT, first) : stats.totals.liquidity_adds,
      loans_repaid: 0,
    });
    expect(stats.totals.evm_transactions).toBe(all.txs.filter(({ evm }) => evm !== null).length);
    if (from !== undefined) return;
    const { txs, evm_txs } = expectations();
    expect(stats.totals).toMatchObject({ transactions: txs, evm_transactions: evm_txs });
    expect(stats.totals.swaps).toBeGreaterThan(0);
    expect(stats.totals.liquidity_adds).toBeGreaterThan(0);
  });

  it('has the days that its blocks tell', () => {
    const dayOf = (height: number) =>
      recordedBlocks()[height - 1]?.block.block.header.time.slice(0, 10) ?? '';
    const days = daysUpTo(dayOf(HEAD));
    const { activeOn } = partsAt(all, HEAD);
    expect(
      stats.daily.map(({ day, transactions, active_addresses }) => [day, transactions, active_addresses]),
    ).toEqual(
      days.map((day) => [
        day,
        oracleTxs().filter(({ height }) => height >= first && dayOf(height) === day).length,
        activeOn(day),
      ]),
    );
    expect(stats.daily.reduce((sum, { swaps }) => sum + swaps, 0)).toBe(stats.totals.swaps);
  });
});
