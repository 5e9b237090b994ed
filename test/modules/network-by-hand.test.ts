import { encodeBech32 } from 'strata-kit/address';
import { describe, expect, it } from 'vitest';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { plainHex } from '../../src/core/parameter-facts.ts';
import type { BlockFacts, LogFact } from '../../src/derive/facts.ts';
import { dexDerivation } from '../../src/modules/dex/derivation.ts';
import { createAccountSet } from '../../src/modules/network/account-set.ts';
import { networkDerivation } from '../../src/modules/network/derivation.ts';
import { networkDays, networkTotals } from '../../src/modules/network/network-read.ts';
import { seededRandom } from '../support/random.ts';
import { columnsOf, factsByHand, type HandEvent } from './support/by-hand.ts';
import { DEVNET_SECTION, deriveAfter, deriveAll, expectSameRows, joined } from './support/derive.ts';
import { versionsIn } from './support/versions.ts';

/** Blocks that are written down here, and the rows that they must give, worked out by hand. */

const ALONE = { derivations: [dexDerivation, networkDerivation], kept: ['network'] };
const account = (n: number, length = 20) => encodeBech32('aeva', new Uint8Array(length).fill(n));
const [ADA, BEN, CLEO] = [account(1), account(2), account(3)];
const ESCROW = account(4, 32);
const FACTORY = plainHex(DEVNET_SECTION.evm.factory) ?? '';
const MARKET = plainHex(DEVNET_SECTION.evm.lendingMarket) ?? '';
const PAIR = 'ab'.repeat(20);
/** Hashes of the events' signatures, as v2-core's and the market's own logs have them. */
const PAIR_CREATED = '0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9';
const SWAP = 'd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const MINT = '4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f';
const REPAY = '5c16de4f8b59bd9caf0f49a545f25819a895ed223294290b408242e72a594231';

type Given = Partial<BlockFacts> & { readonly time: string | bigint; readonly told?: readonly HandEvent[] };

function blocksOf(...given: readonly Given[]): BlockFacts[] {
  return given.map(({ time, told = [], ...facts }, i) => {
    const [block] = factsByHand({ height: i + 1, time, events: told });
    if (block === undefined) throw new Error('no block');
    return { ...block, ...facts };
  });
}

function log(address: string, topic: string, logIndex: number, data = new Uint8Array(0)): LogFact {
  return { txIndex: 0, msgIndex: 0, logIndex, address, topics: [topic, '', ''], data };
}

const created = log(
  FACTORY,
  PAIR_CREATED,
  0,
  Buffer.from(`${'00'.repeat(12)}${PAIR}${'00'.repeat(32)}`, 'hex'),
);

const asset = (issuer: string, nonce = '0'): HandEvent => [
  'asset.EventAssetCreated',
  {
    asset_id: 'aa'.repeat(32),
    issuer,
    nonce,
    status: 'ASSET_STATUS_ACTIVE',
    policy: { mode: 'POLICY_MODE_OPEN', required_types: [], attesters: [] },
    roles: { operator: '', releaser: '' },
    meta_hash: '',
    settlement_denom: 'uusd',
    liens_allowed: false,
    distribution_denoms: [],
    kinds: [],
  },
];
const settled = (id: string): HandEvent => [
  'settlement.EventSettled',
  { id, proposer: ADA, counterparty: BEN, asset_ids: [] },
];
const distributed = (denom: string, amount: string): HandEvent => [
  'payout.EventDistributed',
  {
    asset_id: 'bb'.repeat(32),
    kind_id: 0,
    denom,
    payer: ADA,
    amount,
    new_index: '0',
    carry_scaled: '0',
    supply: '1',
  },
];

describe('days', () => {
  // 2026-03-01 is day 20513
  const blocks = blocksOf(
    { time: '2026-03-01T00:00:00Z', txCount: 2, evmTxCount: 1, accounts: [BEN, ADA] },
    { time: '2026-03-01T12:00:00Z', txCount: 1, accounts: [ADA] },
    { time: 1_772_409_599_999_999_999n, txCount: 1, accounts: [CLEO] },
    { time: '2026-03-02T00:00:00Z', txCount: 1, accounts: [ADA, ESCROW] },
    { time: '2026-03-02T00:00:01Z' },
    { time: '2026-03-05T00:00:00Z', txCount: 3, evmTxCount: 3, accounts: [ESCROW, BEN] },
    // no chain does this
    { time: '2026-03-04T00:00:00Z', txCount: 1, accounts: [ADA, BEN] },
    { time: '2026-03-05T00:00:02Z', txCount: 1, accounts: [CLEO, ESCROW] },
  );

  it('end with the last nanosecond, and addresses are active once on each', () => {
    const rows = deriveAll(blocks, ALONE);
    expect(
      columnsOf(
        rows,
        'network_counts',
        'height',
        'day',
        'transactions',
        'evm_transactions',
        'accounts',
        'active_addresses',
      ),
    ).toEqual([
      [1, 20513, 2, 1, 2, 2],
      [2, 20513, 3, 1, 2, 2],
      [3, 20513, 4, 1, 3, 3],
      [4, 20514, 5, 1, 4, 2],
      [6, 20517, 8, 4, 4, 2],
      [7, 20517, 9, 4, 4, 3],
      [8, 20517, 10, 4, 4, 4],
    ]);
    expect(
      columnsOf(rows, 'network_days', 'day', 'height', 'transactions', 'active_addresses', 'swaps'),
    ).toEqual([
      [20513, 1, 0, 0, 0],
      [20514, 4, 4, 3, 0],
      [20517, 6, 5, 2, 0],
    ]);
    expect(columnsOf(rows, 'account_days', 'account', 'height', 'day', 'is_new')).toEqual([
      // of a block in the order of their texts
      [BEN, 1, 20513, 1],
      [ADA, 1, 20513, 1],
      [CLEO, 3, 20513, 1],
      [ESCROW, 4, 20514, 1],
      [ADA, 4, 20514, 0],
      [BEN, 6, 20517, 0],
      [ESCROW, 6, 20517, 0],
      [ADA, 7, 20517, 0],
      [CLEO, 8, 20517, 0],
    ]);
  });

  it('go on behind a restart at any height', async () => {
    const whole = deriveAll(blocks);
    for (let height = 0; height <= blocks.length; height++) {
      const before = deriveAll(blocks.slice(0, height));
      const after = await deriveAfter(versionsIn(before), blocks.slice(height));
      expectSameRows(joined(before, after), whole, `a restart at ${height}`);
    }
  });

  it('before 1970 are its first', () => {
    const rows = deriveAll(blocksOf({ time: -1n, txCount: 1, accounts: [ADA] }), ALONE);
    expect(columnsOf(rows, 'network_counts', 'day', 'active_addresses')).toEqual([[0, 1]]);
  });
});

describe('events', () => {
  const [service = ''] = DEVNET_SECTION.serviceAccounts;
  const MOST = String((1n << 255n) - 1n);
  const time = '2026-03-01T00:00:00Z';
  const columns = [
    ...['height', 'assets', 'community_assets', 'settlements_settled', 'distributions', 'distributed_stable'],
  ];
  const blocks = blocksOf(
    { time, txCount: 3, told: [asset(service), asset(ADA), asset(DEVNET_SECTION.faucet)] },
    {
      time,
      told: [settled('7'), distributed('uusd', '25'), distributed('aaeva', '400'), distributed('uusd', '17')],
    },
    // an amount beyond 2^255 cannot be read
    { time, told: [distributed('uusd', String(1n << 255n)), settled('-1')] },
    { time, told: [settled('7')] },
    { time, told: [distributed('uusd', MOST)] },
    { time, told: [distributed('uusd', '1')] },
  );
  const expected = [
    [1, 3, 1, 0, 0, 0],
    [2, 3, 1, 1, 3, 42],
    [4, 3, 1, 2, 3, 42],
    [5, 3, 1, 2, 4, BigInt(MOST)],
    [6, 3, 1, 2, 5, BigInt(MOST)],
  ];

  it('count by what they tell, services apart', () => {
    expect(columnsOf(deriveAll(blocks, ALONE), 'network_counts', ...columns)).toEqual(expected);
  });

  it('count the same where their own modules derive and know nothing of the record', () => {
    const rows = deriveAll(blocks);
    expect(columnsOf(rows, 'network_counts', ...columns)).toEqual(expected);
    expect(columnsOf(rows, 'drift', 'height', 'field')).toContainEqual([4, 'record']);
  });
});

describe('logs', () => {
  const time = '2026-03-01T00:00:00Z';
  it('count for pairs of the factory and for the market alone', () => {
    const rows = deriveAll(
      blocksOf(
        { time, txCount: 1, logs: [log(PAIR, SWAP, 0), log(PAIR, MINT, 1), log(FACTORY, REPAY, 2)] },
        { time, txCount: 1, logs: [created, log(PAIR, MINT, 1), log(PAIR, SWAP, 2), log(PAIR, SWAP, 3)] },
        {
          time,
          txCount: 1,
          logs: [log(MARKET, REPAY, 0), log(MARKET, SWAP, 1), log('cd'.repeat(20), MINT, 2)],
        },
        { time, txCount: 1, logs: [log(PAIR, SWAP, 0), log(PAIR, REPAY, 1), log(MARKET, REPAY, 2)] },
      ),
      ALONE,
    );
    expect(columnsOf(rows, 'network_counts', 'height', 'swaps', 'liquidity_adds', 'loans_repaid')).toEqual([
      [1, 0, 0, 0],
      [2, 2, 1, 0],
      [3, 2, 1, 1],
      [4, 3, 1, 2],
    ]);
  });
});

it('a store in which network is not derived is not asked', async () => {
  const query = () => Promise.reject(new Error('no such table'));
  const reading = {
    snapshot: { ...EMPTY_SNAPSHOT, indexedHeight: 9, generations: new Map([['rights', 1]]) },
    query,
  };
  const totals = await networkTotals(reading);
  expect(Object.values(totals)).toEqual([...Array.from({ length: 10 }, () => 0), '0']);
  const days = await networkDays(reading, 20_513, 14);
  expect(days).toEqual(Array.from({ length: 14 }, () => ({ transactions: 0, activeAddresses: 0, swaps: 0 })));
});

describe('the set of accounts', () => {
  it('answers as a Map does, whatever addresses there are', () => {
    const random = seededRandom(5);
    const set = createAccountSet();
    const model = new Map<string, number>();
    /** Alike but for a bit, so that each bit counts. */
    const alike = Array.from({ length: 160 }, (_, bit) => {
      const bytes = new Uint8Array(20);
      bytes[bit >> 3] = 1 << (bit & 7);
      return encodeBech32('cosmos', bytes);
    });
    const drawn = Array.from({ length: 5_000 }, () =>
      encodeBech32(
        'cosmos',
        Uint8Array.from({ length: 20 }, () => random.between(0, 255)),
      ),
    );
    const others = ['', 'x', `cosmos1${'b'.repeat(38)}`, ESCROW, account(9, 32)];
    const all = [...alike, ...drawn, ...others, encodeBech32('cosmos', new Uint8Array(20))];
    for (let visit = 0, day = 0; visit < 30_000; visit++) {
      if (visit % 3_000 === 0) day++;
      const text = all[random.between(0, all.length - 1)] ?? '';
      const last = model.get(text);
      model.set(text, day);
      expect(set.visit(text, day), `${text} on ${day}`).toEqual({
        isNew: last === undefined,
        isFirstOfDay: last !== day,
      });
    }
    expect(set.size).toBe([...model.keys()].filter((text) => !others.includes(text)).length);
    // 24 bytes an entry, at least 3/8 of them taken
    expect(set.byteLength).toBeLessThan(set.size * 65);
  });
});
