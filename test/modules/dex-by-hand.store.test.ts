import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { seededRandom } from '../support/random.ts';
import { expectedPrices } from './support/dex-expected.ts';
import {
  eip55,
  FACTORY,
  type HandBlock,
  type HandLog,
  type HandPool,
  HIGH,
  handFacts,
  LOW,
  openPools,
  PAIR,
  STABLE,
} from './support/dex-pool.ts';

/** Prices of pools whose every log is written down: literals by hand, and all numbers counted again by brute force. */

const MS = 1_000_000n;
const SECOND = 1_000n * MS;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
/** 2026-11-20T10:07:30.25Z. */
const T0 = 1_795_169_250_250n * MS;
const E18 = 10n ** 18n;

let test: TestStore;
let open: ReturnType<typeof openPools>;
beforeAll(async () => {
  test = await openTestStore();
  open = openPools(test.factory, `${test.folder}-files`);
});
afterAll(() => test?.close());

const sync = (base: bigint, quote: bigint): HandLog => ({ sync: [base, quote] });
const swap = (...amounts: [bigint, bigint, bigint, bigint]): HandLog => ({ swap: amounts });
const block = (timeNs: bigint, ...logs: HandLog[]): HandBlock => ({ timeNs, logs });

async function pricesOf(blocks: readonly HandBlock[], range?: string, more: Partial<HandPool> = {}) {
  const pool = await open({ base: LOW, blocks, ...more });
  try {
    return await pool.ask(range);
  } finally {
    await pool.close();
  }
}

describe('a price', () => {
  it('is the reserves at hand, as a literal, in both orders of the tokens', async () => {
    // 2,000.000000 against 1,001 coins: floor(2000·10^6·10^18 / 1001·10^18) = 1998001.998 → 1998001
    // 1000·10^18 coins before: 2000000; (1998001 − 2000000)·10^4 / 2000000 = −9.995 → −9, toward zero
    const blocks = [
      block(T0, sync(1_000n * E18, 2_000_000_000n)),
      block(T0 + DAY, sync(1_001n * E18, 2_000_000_000n), swap(E18, 0n, 0n, 7n), swap(0n, 5n, 3n, 0n)),
    ];
    for (const base of [LOW, HIGH]) {
      const { points, ...prices } = await pricesOf(blocks, undefined, { base });
      expect(prices).toEqual({
        asset: 'native',
        pair: eip55(PAIR),
        base_token: eip55(base),
        quote_token: eip55(STABLE),
        base_decimals: 18,
        quote_decimals: 6,
        quote_denom: 'uusd',
        range: '1d',
        as_of: '2026-11-21T10:07:30.25Z',
        height: 2,
        price: '1998001',
        price_24h_ago: '2000000',
        change_24h_bps: '-9',
        volume_24h: '12',
        swaps_24h: 2,
        reserves: { base: '1001000000000000000000', quote: '2000000000' },
      });
      expect(points).toHaveLength(97);
      expect(points[0]).toEqual({ time: '2026-11-20T10:07:30.25Z', price: '2000000' });
      expect(points[95]).toEqual({ time: '2026-11-21T09:52:30.25Z', price: '2000000' });
      expect(points[96]).toEqual({ time: '2026-11-21T10:07:30.25Z', price: '1998001' });
    }
  });

  it('of the greatest reserves against 1 is exact', async () => {
    // (2^112 − 1) · 10^18 / 1, and 1 · 10^18 / (2^112 − 1) = 0.000…: 10^18 < 5.19·10^33
    const most = 2n ** 112n - 1n;
    const rich = await pricesOf([block(T0, sync(1n, most)), block(T0 + 1n, sync(1n, most))]);
    expect(rich.price).toBe('5192296858534827628530496329220095000000000000000000');
    const poor = await pricesOf([block(T0, sync(most, 1n)), block(T0 + 1n, sync(most, 2n))]);
    expect([poor.price, poor.price_24h_ago, poor.change_24h_bps]).toEqual(['0', '0', '0']);
    const jump = await pricesOf([block(T0, sync(most, 1n)), block(T0 + 1n, sync(1n, most))]);
    expect([jump.price_24h_ago, jump.change_24h_bps]).toEqual(['0', '0']);
    const fall = await pricesOf([block(T0, sync(1n, most)), block(T0 + 1n, sync(most, 1n))]);
    expect([fall.price, fall.change_24h_bps]).toEqual(['0', '-10000']);
  });

  it('is that of the last Sync of a block', async () => {
    const { price, points } = await pricesOf(
      [block(T0, sync(E18, 5n), sync(E18, 6n), sync(E18, 7n), sync(E18, 8n), sync(E18, 9n))],
      'all',
    );
    expect([price, points]).toEqual(['9', [{ time: '2026-11-20T10:07:30.25Z', price: '9' }]]);
  });
});

describe('boundaries', () => {
  it('a Sync at a point belongs to it; a swap at head − 24 h is over, and its Sync is the price then', async () => {
    const head = T0 + 2n * DAY;
    const blocks = [
      block(head - DAY - 1n, sync(E18, 100n), swap(0n, 1n, 1n, 0n)),
      block(head - DAY, sync(E18, 200n), swap(0n, 10n, 1n, 0n)),
      block(head - DAY + 1n, sync(E18, 300n), swap(0n, 100n, 1n, 0n)),
      block(head - 15n * MINUTE, sync(E18, 400n)),
      block(head - 15n * MINUTE + 1n, sync(E18, 500n)),
      block(head),
    ];
    const prices = await pricesOf(blocks);
    expect(prices).toMatchObject({ price: '500', price_24h_ago: '200', volume_24h: '100', swaps_24h: 1 });
    expect(prices.points.map(({ price }) => price)).toEqual(['200', ...Array(94).fill('300'), '400', '500']);
  });

  it('a pool that is younger than 24 h begins with its first Sync', async () => {
    const blocks = [
      block(T0),
      block(T0 + 10n * MINUTE, sync(E18, 100n)),
      block(T0 + 45n * MINUTE, sync(E18, 110n)),
    ];
    const { price_24h_ago, change_24h_bps, points } = await pricesOf(blocks);
    expect([price_24h_ago, change_24h_bps]).toEqual(['100', '1000']);
    expect(points).toEqual([
      { time: '2026-11-20T10:22:30.25Z', price: '100' },
      { time: '2026-11-20T10:37:30.25Z', price: '100' },
      { time: '2026-11-20T10:52:30.25Z', price: '110' },
    ]);
  });

  it('a pool made in the head block has one point', async () => {
    for (const range of ['1d', '1w', '1m', 'all']) {
      const prices = await pricesOf([block(T0, sync(E18, 3n))], range);
      expect(prices).toMatchObject({ price: '3', price_24h_ago: '3', change_24h_bps: '0', range });
      expect(prices.points).toEqual([{ time: '2026-11-20T10:07:30.25Z', price: '3' }]);
    }
  });

  it('all of one Sync has a point at each step since', async () => {
    // 3 ns ago: steps of 1 ns, 4 points; 1,000 ns ago: steps of ceil(1000/199) = 6 ns, 1 + floor(1000/6) = 167 points
    for (const [age, count] of [
      [3n, 4],
      [199n, 200],
      [200n, 101],
      [1_000n, 167],
      [199n * HOUR, 200],
    ] as const) {
      const { points } = await pricesOf([block(T0 - age, sync(E18, 7n)), block(T0)], 'all');
      expect(points).toHaveLength(count);
      expect(new Set(points.map(({ price }) => price))).toEqual(new Set(['7']));
    }
  });
});

describe('a pool without a price', () => {
  const expectNone = async (blocks: readonly HandBlock[], reason: RegExp, more: Partial<HandPool> = {}) =>
    expect(pricesOf(blocks, '1d', more)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(reason),
    });

  it('says why', async () => {
    await expectNone([block(T0)], /never had reserves/);
    await expectNone([block(T0, sync(0n, 0n))], /is empty/);
    await expectNone([block(T0, sync(E18, 5n)), block(T0 + MINUTE, sync(0n, 5n))], /is empty/);
    await expectNone([block(T0, sync(E18, 5n), sync(E18, 0n))], /is empty/);
    const priced = [block(T0, sync(E18, 5n))];
    await expectNone(priced, /no stable token/, { market: { stable: undefined } });
    await expectNone(priced, /no wrapped gas token/, { market: { wrappedNative: undefined } });
    await expectNone(priced, /no pool/, { market: { wrappedNative: eip55('77'.repeat(20)) } });
    await expect(pricesOf(priced, '2d')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(pricesOf(priced, '')).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('of two reserves for a while is passed over', async () => {
    const blocks = [
      block(T0, sync(0n, 0n)),
      block(T0 + MINUTE, sync(E18, 4n)),
      block(T0 + 16n * MINUTE, sync(E18, 5n), sync(0n, 0n)),
      block(T0 + 31n * MINUTE, sync(0n, 0n)),
      block(T0 + 46n * MINUTE, sync(E18, 6n)),
    ];
    const { price_24h_ago, points } = await pricesOf(blocks);
    expect(price_24h_ago).toBe('4');
    expect(points.map(({ price }) => price)).toEqual(['4', '5', '5', '6']);
  });
});

describe('other contracts', () => {
  it('are no pools of the factory, and change nothing', async () => {
    const other = 'cc'.repeat(20);
    const blocks = [
      block(
        T0,
        { create: [LOW, STABLE, other], at: 'fb'.repeat(20) },
        { sync: [1n, 1_000n], at: other },
        sync(E18, 5n),
      ),
      block(
        T0 + MINUTE,
        { sync: [1n, 2_000n], at: other },
        { swap: [1n, 2n, 3n, 4n], at: other },
        { sync: [1n, 3_000n], at: FACTORY },
      ),
    ];
    const pool = await open({ base: LOW, blocks });
    expect(await pool.ask()).toMatchObject({ pair: eip55(PAIR), price: '5', swaps_24h: 0, volume_24h: '0' });
    await pool.close();
  });

  it('the first pair of the same tokens is taken', async () => {
    const twin = 'cc'.repeat(20);
    const blocks = [
      block(T0, sync(E18, 5n)),
      block(T0 + MINUTE, { create: [LOW, STABLE, twin] }, { sync: [1n, 9n], at: twin }),
    ];
    expect(await pricesOf(blocks)).toMatchObject({ pair: eip55(PAIR), price: '5' });
  });
});

/** Blocks at random: bursts within seconds, gaps of days, drained pools, several logs a block. */
function randomBlocks(seed: number): HandBlock[] {
  const random = seededRandom(seed);
  const scale = [SECOND, MINUTE, 20n * MINUTE, 5n * HOUR][seed % 4] ?? SECOND;
  let timeNs = T0;
  return Array.from({ length: 250 }, (_, i) => {
    const isGap = random.between(0, 60) === 0;
    timeNs += isGap
      ? BigInt(random.between(1, 40)) * 7n * HOUR
      : (BigInt(random.between(1, 2_000)) * scale) / 1_000n;
    const logs = Array.from({ length: random.between(i === 0 ? 1 : 0, 5) }, (_, log): HandLog => {
      const [a, b] = [BigInt(random.between(1, 1_000_000)), BigInt(random.between(1, 1_000_000))];
      if (i > 0 && i < 249 && random.between(0, 12) === 0) return sync(0n, b);
      return log % 2 === 0 ? sync(a * 10n ** 15n, b) : swap(a, b, b, a);
    });
    return block(
      timeNs,
      ...(i === 249 ? [sync(7n * E18, 11n)] : logs.length === 0 && i === 0 ? [sync(E18, 1n)] : logs),
    );
  });
}

describe('pools at random', () => {
  it.each([1, 2, 3, 4])(
    'have every number as of any height (%i)',
    async (seed) => {
      const blocks = randomBlocks(seed);
      const random = seededRandom(100 + seed);
      const inserts = [...new Set([...Array(4)].map(() => random.between(1, 249)))].sort((a, b) => a - b);
      const base = seed % 2 === 0 ? LOW : HIGH;
      const pool = await open({ base, blocks, inserts });
      for (const height of [250, ...inserts]) {
        const seen = blocks.slice(0, height);
        const syncs = seen.flatMap(({ logs }) => logs.filter((log) => 'sync' in log));
        const isEmpty =
          'sync' in (syncs.at(-1) ?? {}) && (syncs.at(-1) as { sync: readonly bigint[] }).sync[0] === 0n;
        for (const range of ['1d', '1w', '1m', 'all']) {
          if (isEmpty) await expect(pool.ask(range, height)).rejects.toMatchObject({ code: 'not_found' });
          else
            expect(await pool.ask(range, height), `${seed} ${height} ${range}`).toMatchObject(
              expectedPrices(seen, range),
            );
        }
      }
      await pool.close();
    },
    60_000,
  );
});

describe('closes', () => {
  it('are one for each span that is over, whatever the inserts', async () => {
    const blocks = randomBlocks(2);
    const rows = async (inserts: readonly number[]) => {
      const pool = await open({ base: LOW, blocks, inserts });
      const sql = `SELECT toString(groupArray((span, bucket, height, close_ns, close0, close1))) FROM (
SELECT * FROM dex_closes WHERE generation = ${pool.generation} ORDER BY span, bucket)`;
      const text = Buffer.from(await pool.store.query(sql)).toString('latin1');
      await pool.close();
      return text;
    };
    const whole = await rows([]);
    expect(await rows([1, 2, 3, 50, 51, 199])).toBe(whole);
    expect(whole.length).toBeGreaterThan(1_000);
    expect(handFacts({ base: LOW, blocks })).toHaveLength(250);
  });
});
