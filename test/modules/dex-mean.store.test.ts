import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateAnswer } from '../support/contract.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { seededRandom } from '../support/random.ts';
import { type HandBlock, type HandLog, HIGH, LOW, openPools } from './support/dex-pool.ts';

/** The 30-minute mean price: exact times, logarithms, and what an attacker can do to it. */

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const T0 = 1_795_169_250_250_000_000n;
const E18 = 10n ** 18n;

let test: TestStore;
let open: ReturnType<typeof openPools>;
beforeAll(async () => {
  test = await openTestStore();
  open = openPools(test.factory, `${test.folder}-files`);
});
afterAll(() => test?.close());

const sync = (quote: bigint, base = E18): HandLog => ({ sync: [base, quote] });
const block = (timeNs: bigint, ...logs: HandLog[]): HandBlock => ({ timeNs, logs });

async function meanOf(blocks: readonly HandBlock[], base = LOW) {
  const pool = await open({ base, blocks });
  try {
    const answer = await pool.askMean();
    expect(validateAnswer('/v1/x/prices/{asset}/mean', 200, answer)).toEqual([]);
    return answer;
  } finally {
    await pool.close();
  }
}

describe('the mean of 30 minutes', () => {
  it('weighs each price by its time, whichever token is token 0', async () => {
    // 10 minutes at 1, 20 minutes at 8: 8^(2/3) = 4 in units of 10^6
    const blocks = [
      block(T0, sync(1_000_000n)),
      block(T0 + 40n * MINUTE, sync(8_000_000n)),
      block(T0 + 60n * MINUTE),
    ];
    for (const base of [LOW, HIGH]) {
      expect(await meanOf(blocks, base)).toMatchObject({
        price: '8000000',
        mean_price: '4000000',
        window_seconds: 1_800,
        height: 3,
        first_sync_at: '2026-11-20T10:07:30.25Z',
      });
    }
  });

  it('is the price while nothing changes, and for a pool made in the head block', async () => {
    for (const quote of [3_000_000n, 1n, 123_456_789_012n]) {
      const still = [block(T0, sync(quote)), block(T0 + 300n * MINUTE)];
      expect((await meanOf(still)).mean_price).toBe(String(quote));
      expect((await meanOf([block(T0, sync(quote))])).mean_price).toBe(String(quote));
    }
  });

  it('takes the first reserves of a younger pool for all the time before', async () => {
    // 2 minutes at 1, then 3 at 64: 27 minutes count as 1, 3 as 64: 64^(1/10) = 1.515717
    const blocks = [
      block(T0, sync(1_000_000n)),
      block(T0 + 2n * MINUTE, sync(64_000_000n)),
      block(T0 + 5n * MINUTE),
    ];
    expect((await meanOf(blocks)).mean_price).toBe('1515717');
  });

  it('is hardly moved by one block at an absurd price, which an arithmetic mean follows', async () => {
    // 1 s of 1,800 s at a million times the price: arithmetic 556 times, geometric 10^(6/1800) = 1.0077
    const blocks = [
      block(T0, sync(1_000_000n)),
      block(T0 + 40n * MINUTE, sync(1_000_000_000_000n)),
      block(T0 + 40n * MINUTE + SECOND, sync(1_000_000n)),
      block(T0 + 41n * MINUTE),
    ];
    expect((await meanOf(blocks)).mean_price).toBe('1007705');
  });

  it('gives no weight to what was over within its own block, nor to an empty pool', async () => {
    const blocks = [
      block(T0, sync(1_000_000n)),
      block(T0 + 40n * MINUTE, sync(9_000_000n), sync(0n, 0n), sync(1_000_000n)),
      block(T0 + 50n * MINUTE),
    ];
    expect((await meanOf(blocks)).mean_price).toBe('1000000');
  });

  it('is what a count by brute force says, at every height of a random pool', async () => {
    const random = seededRandom(14);
    let timeNs = T0;
    const blocks = Array.from({ length: 120 }, () => {
      timeNs += BigInt(random.between(1, 90_000)) * 1_000_000n;
      const count = random.between(0, 2);
      return block(
        timeNs,
        ...Array.from({ length: count }, () => sync(BigInt(random.between(1_000_000, 10_000_000)))),
      );
    });
    const pool = await open({ base: LOW, blocks: [block(T0, sync(2_000_000n)), ...blocks], inserts: [40] });
    try {
      const all = [block(T0, sync(2_000_000n)), ...blocks];
      for (const height of [1, 2, 20, 41, 80, 121]) {
        const head = all[height - 1]?.timeNs ?? 0n;
        const start = head - 30n * MINUTE;
        let [since, price, sum] = [start, 2_000_000, 0];
        for (const { timeNs: at, logs } of all.slice(0, height)) {
          for (const log of logs) {
            if (!('sync' in log)) continue;
            if (at > since) {
              sum += Math.log(price) * Number(at - since);
              since = at;
            }
            price = Number(log.sync[1]);
          }
        }
        sum += Math.log(price) * Number(head - since);
        const { mean_price } = await pool.askMean(height);
        expect(Math.abs(Number(mean_price) / Math.exp(sum / Number(30n * MINUTE)) - 1)).toBeLessThan(1e-6);
      }
    } finally {
      await pool.close();
    }
  });

  it('of the greatest and the smallest ratio is a number', async () => {
    const most = 2n ** 112n - 1n;
    const rich = await meanOf([block(T0, sync(most, 1n)), block(T0 + MINUTE)]);
    expect(BigInt(rich.mean_price) / 10n ** 40n).toBe(BigInt(rich.price) / 10n ** 40n);
    expect((await meanOf([block(T0, sync(1n, most)), block(T0 + MINUTE)])).mean_price).toBe('0');
  });

  it('of a pool without a price says why', async () => {
    await expect(meanOf([block(T0, sync(E18), sync(0n, 5n))])).rejects.toMatchObject({ code: 'not_found' });
    await expect(meanOf([block(T0)])).rejects.toMatchObject({ code: 'not_found' });
  });
});
