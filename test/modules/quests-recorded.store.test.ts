import { bech32 } from '@scure/base';
import { beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import type { RecordedApi } from '../e2e/support/recorded-api.ts';
import { expectations, HRP, oracleEvm, oracleTxs } from '../support/oracle.ts';
import { RECORDED_CONTRACTS, recordedWorldWithContracts } from '../support/worlds.ts';

/** Quests of a chain without asset modules: the recorded one, against its receipts and its own words about its txs. */

/** Of IUniswapV2Pair. */
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const MINT = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f';
const { faucet: FAUCET } = RECORDED_CONTRACTS;
/** A module's: what Ethereum messages leave of their fees passes through it. */
const FEE_COLLECTOR = 'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta';

function expected(): Map<string, number> {
  const first = new Map<string, number>();
  const complete = (account: string, quest: string, height: number): void => {
    const key = `${account} ${quest}`;
    first.set(key, Math.min(height, first.get(key) ?? height));
  };
  const pairs = new Set(
    Object.values((expectations() as unknown as { pairs: Record<string, string> }).pairs).map((pair) =>
      pair.toLowerCase(),
    ),
  );
  const codes = new Map(
    oracleTxs().map(({ height, index, rest }) => [`${height}/${index}`, rest.tx_response.code]),
  );
  for (const { height, index, tx, receipt } of oracleEvm()) {
    if (tx === null || receipt?.status !== '0x1' || codes.get(`${height}/${index}`) !== 0) continue;
    const sender = bech32.encode(HRP, bech32.toWords(Buffer.from(tx.from.slice(2), 'hex')));
    complete(sender, 'evm_tx', height);
    for (const { address, topics } of receipt.logs) {
      if (!pairs.has(address.toLowerCase())) continue;
      if (topics[0] === SWAP) complete(sender, 'swap', height);
      if (topics[0] === MINT) complete(sender, 'add_liquidity', height);
    }
  }
  for (const { height, rest } of oracleTxs()) {
    if (rest.tx_response.code !== 0) continue;
    for (const { type, attributes } of rest.tx_response.events) {
      const { sender, recipient } = Object.fromEntries(attributes.map(({ key, value }) => [key, value]));
      if (type !== 'transfer' || sender !== FAUCET || recipient === undefined || recipient === FAUCET)
        continue;
      if (bech32.fromWords(bech32.decode(recipient as `cosmos1${string}`, 100).words).length === 20)
        complete(recipient, 'faucet', height);
    }
  }
  return first;
}

describe('quests of the recorded chain', () => {
  let recorded: RecordedApi;
  beforeAll(async () => {
    recorded = await recordedWorldWithContracts();
  }, 120_000);

  it('are those of its receipts, row for row', async () => {
    const store = await recorded.stores.open('look');
    const rows = new RowReader(
      await store.query('SELECT account, toString(quest), height FROM quest_completions_history'),
    );
    const stored = new Map<string, number>();
    while (!rows.done) stored.set(`${rows.string()} ${rows.string()}`, rows.u64());
    await store.close();
    const wanted = expected();
    const quests = new Set([...wanted.keys()].map((key) => key.split(' ')[1]));
    expect(quests).toEqual(new Set(['evm_tx', 'swap', 'add_liquidity', 'faucet']));
    expect(new Map([...stored].sort())).toEqual(new Map([...wanted].sort()));
  });

  it('are ranked, the faucet and modules left out', async () => {
    const { rows } = await recorded.get<{ rows: readonly { address: string; completed: number }[] }>(
      '/v1/quests/leaderboard?limit=100',
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows[0]?.completed).toBeGreaterThan(2);
    const listed = rows.map(({ address }) => address);
    expect(listed).not.toContain(FAUCET);
    expect(listed).not.toContain(FEE_COLLECTOR);
    expect(expected().has(`${FEE_COLLECTOR} faucet`)).toBe(true);
    expect(await recorded.get(`/v1/quests/${FEE_COLLECTOR}`)).toMatchObject({ completed: 0 });
    expect(await recorded.get(`/v1/quests/${FAUCET}`)).toMatchObject({ total: 10 });
  });
});
