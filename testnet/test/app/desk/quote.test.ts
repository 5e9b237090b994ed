import fc from 'fast-check';
import type { Logger } from 'pino';
import { DEFAULT_RISK } from 'strata-kit/desk-risk';
import { describe, expect, it } from 'vitest';
import type { DeskTradeRow } from '../../../src/database/tables.ts';
import { createCaps } from '../../../src/desk/caps.ts';
import { largestTrade, priceRefusal } from '../../../src/desk/guard.ts';
import { createPause } from '../../../src/desk/pause.ts';
import { amountOf, pricesOf } from '../../../src/desk/quote.ts';

const ONE = 1_000_000n;

describe('prices, by hand', () => {
  // 3.000001 stable coins a whole share
  it.each([
    ['the whole', 100n, 2_940_000n, 3_060_002n], // 2,940,000.98 and 3,060,001.02
    ['ECONOMIC', 60n, 1_764_000n, 1_836_001n], // 1,764,000.588 and 1,836,000.612
    ['INCOME', 30n, 882_000n, 918_001n], // 882,000.294 and 918,000.306
    ['VOTE', 10n, 294_000n, 306_001n], // 294,000.098 and 306,000.102
  ])('%s', (_, share, bid, ask) => {
    expect(pricesOf(3_000_001n, share)).toEqual({ bid, ask });
  });

  it('of a pool whose price is next to nothing', () => {
    expect(pricesOf(1n, 10n)).toEqual({ bid: null, ask: 1n });
    expect(pricesOf(1n, 100n)).toEqual({ bid: null, ask: 2n });
    expect(pricesOf(2n, 100n)).toEqual({ bid: 1n, ask: 3n });
  });
});

describe('amounts, by hand', () => {
  it('round up for who buys and down for who sells', () => {
    expect(amountOf('buy', 3_060_002n, 1_500_000n, 6)).toBe(4_590_003n);
    expect(amountOf('buy', 3_060_002n, 1n, 6)).toBe(4n); // 3.060002
    expect(amountOf('sell', 2_940_000n, 1n, 6)).toBe(2n); // 2.94
    expect(amountOf('sell', 2_940_000n, 1_234_567n, 6)).toBe(3_629_626n); // 3,629,626.98
    expect(amountOf('sell', 2_940_000n, 2n * 10n ** 18n, 18)).toBe(5_880_000n);
    expect(amountOf('buy', 7n, 3n, 0)).toBe(21n);
  });
});

describe('rounding', () => {
  const mid = fc.bigInt(1n, 10n ** 24n);
  const share = fc.constantFrom(10n, 30n, 60n, 100n);
  const units = fc.bigInt(1n, 10n ** 30n);
  const decimals = fc.integer({ min: 0, max: 18 });

  it('of prices is against the user, by less than a unit', () => {
    fc.assert(
      fc.property(mid, share, (m, s) => {
        const { bid, ask } = pricesOf(m, s);
        const low = m * s * 98n;
        const high = m * s * 102n;
        expect((bid ?? 0n) * 10_000n <= low && low - (bid ?? 0n) * 10_000n < 10_000n).toBe(true);
        expect((ask ?? 0n) * 10_000n >= high && (ask ?? 0n) * 10_000n - high < 10_000n).toBe(true);
      }),
    );
  });

  it('of amounts is against the user, by less than a unit, and selling what was bought never pays', () => {
    fc.assert(
      fc.property(mid, share, units, decimals, (m, s, u, d) => {
        const { bid, ask } = pricesOf(m, s);
        const one = 10n ** BigInt(d);
        const paid = amountOf('buy', ask ?? 0n, u, d);
        const got = bid === null ? 0n : amountOf('sell', bid, u, d);
        expect(paid * one >= (ask ?? 0n) * u && paid * one - (ask ?? 0n) * u < one).toBe(true);
        expect(got * one <= (bid ?? 0n) * u && (bid ?? 0n) * u - got * one < one).toBe(true);
        expect(paid > got).toBe(true);
      }),
    );
  });

  it('of many small trades never beats one large one', () => {
    fc.assert(
      fc.property(mid, units, fc.integer({ min: 1, max: 20 }), (m, u, n) => {
        const { bid, ask } = pricesOf(m, 100n);
        const times = BigInt(n);
        expect(times * amountOf('buy', ask ?? 0n, u, 6) >= amountOf('buy', ask ?? 0n, u * times, 6)).toBe(
          true,
        );
        expect(times * amountOf('sell', bid ?? 0n, u, 6) <= amountOf('sell', bid ?? 0n, u * times, 6)).toBe(
          true,
        );
      }),
    );
  });
});

describe('the price of a pool', () => {
  const pool = { mid: 1_000n, mean: 1_000n, stableReserve: 10_000n * ONE };
  const reasonOf = (more: Partial<typeof pool>) => priceRefusal({ ...pool, ...more }, DEFAULT_RISK)?.reason;

  it('is followed up to 5 % of its mean either way', () => {
    expect([950n, 1_000n, 1_050n].map((mid) => reasonOf({ mid }))).toEqual([undefined, undefined, undefined]);
    expect([949n, 1_051n, 0n].map((mid) => reasonOf({ mid }))).toEqual(Array(3).fill('unsteady_price'));
    expect(reasonOf({ mean: 0n })).toBe('unsteady_price');
  });

  it('is not followed in a pool that is too small, and bounds a trade by the pool', () => {
    expect(reasonOf({ stableReserve: 10_000n * ONE - 1n })).toBe('shallow_pool');
    expect(largestTrade(pool, DEFAULT_RISK)).toBe(500n * ONE);
  });
});

it('an operator is told of every pause and of its end', () => {
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line) } as unknown as Pick<Logger, 'warn'>;
  const pause = createPause(log, true);
  pause.toggle();
  pause.toggle();
  expect([pause.isPaused(), lines.map((line) => /^the desk is (not )?paused/.test(line))]).toEqual([
    true,
    [true, true, true],
  ]);
  expect(createPause(log).isPaused()).toBe(false);
});

it('no more trades of an asset are on their way than a block may hold; those of another do not count', async () => {
  const row = (asset_id: string) => ({ asset_id, amount: '1', role: 'accept' }) as DeskTradeRow;
  const refusalWith = (onTheirWay: readonly DeskTradeRow[]) => {
    const trades = { unresolved: async () => onTheirWay, proposed: async () => [] };
    const ledger = { moved: async () => ({ hourlyValue: 0n, given: new Map() }) };
    const caps = createCaps(trades, ledger, { ...DEFAULT_RISK, perBlock: 3 });
    return caps.refusal({ asset_id: 'a', amount: '1', role: 'accept' });
  };
  expect(await refusalWith([row('a'), row('a'), row('b'), row('b')])).toBeUndefined();
  expect(await refusalWith([row('a'), row('a'), row('a')])).toMatchObject({ reason: 'per_block' });
});
