import { afterAll, beforeAll, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { LOW, openPools } from './support/dex-pool.ts';

/** A commit's closes are counted by what is new, and a head may be younger than the oldest time asked for. */

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

it('a head of the first day since 1970 has nothing 24 h before it', async () => {
  const logs = [{ sync: [10n ** 18n, 5n] as const }, { swap: [1n, 0n, 0n, 3n] as const }];
  const blocks = [
    { timeNs: 60_000_000_000n, logs },
    { timeNs: 3_600_000_000_000n, logs: [] },
  ];
  const pool = await openPools(test.factory, `${test.folder}-files`)({ base: LOW, blocks });
  const { price_24h_ago, volume_24h, points } = await pool.ask();
  await pool.close();
  expect([price_24h_ago, volume_24h, points.length]).toEqual(['5', '3', 4]);
});

it("a commit's closes are counted without a look at those of all heights", async () => {
  await test.store.command(
    "INSERT INTO dex_closes SELECT 1, concat('0x', toString(number % 3)), 60, intDiv(number, 3), number + 1, 1, 1, 1 FROM numbers(300000)",
  );
  const sql = 'SELECT count() FROM dex_closes WHERE generation = 1 AND height > 299990 AND height <= 300000';
  expect(new RowReader(await test.store.query(sql)).u64()).toBe(10);
  const lines: string[] = [];
  const row = new RowReader(await test.store.query(`EXPLAIN indexes = 1 ${sql}`));
  while (!row.done) lines.push(row.string());
  const granules = lines.flatMap((line) => /Granules: (\d+)\/(\d+)/.exec(line)?.slice(1).map(Number) ?? []);
  const [read = 0, all = 0] = [granules.at(-2), granules[1]];
  expect(all).toBeGreaterThan(2_000);
  expect(read).toBeLessThan(all / 10);
});
