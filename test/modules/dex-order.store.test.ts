import { afterAll, beforeAll, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { NativeColumns } from '../../src/derive/native-columns.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { dexDeriver, handFacts, LOW, openPools } from './support/dex-pool.ts';

/** Rows of pairs stand in the order of their logs, and a commit's closes are counted by what is new. */

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
}, 60_000);
afterAll(() => test?.close());

it('logs of a tx are in order also where a node counts them anew with each message', () => {
  const syncs = [3n, 4n, 5n, 6n].map((quote) => ({ sync: [1n, quote] as const }));
  const [facts] = handFacts({ base: LOW, blocks: [{ timeNs: 1n, logs: syncs }] });
  if (facts === undefined) throw new Error('no block');
  // message 0: PairCreated and two Syncs, as 0, 1, 2; message 1: two Syncs, as 0, 1; the last of another tx, as 0
  const places = [
    [0, 0, 0],
    [0, 0, 1],
    [0, 0, 2],
    [0, 1, 0],
    [1, 0, 0],
  ] as const;
  const logs = facts.logs.map((log, i) => {
    const [txIndex = 0, msgIndex = 0, logIndex = 0] = places[i] ?? [];
    return { ...log, txIndex, msgIndex, logIndex };
  });
  const rows = dexDeriver(1).derive([{ ...facts, logs }]);
  const block = rows.find(({ table }) => table === 'dex_syncs');
  if (block === undefined) throw new Error('no Syncs');
  const columns = new NativeColumns(block);
  const found = [...Array(columns.rows).keys()].map((row) => [
    columns.column('tx_index').u32(row),
    columns.column('log_index').u32(row),
    columns.column('reserve1').hex(row).slice(0, 2),
  ]);
  expect(found).toEqual([
    [0, 1, '03'],
    [0, 2, '04'],
    [0, 3, '05'],
    [1, 0, '06'],
  ]);
});

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
