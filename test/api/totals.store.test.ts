import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createChainTotals, createDayTotals } from '../../src/api/totals.ts';
import { deleteCheckpointsAbove, writeCheckpoint } from '../../src/store/checkpoints.ts';
import { repairAboveCheckpoint } from '../../src/store/repair.ts';
import type { RowBinary } from '../../src/store/store.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

/** What keeps an answer's cost from growing with the chain, and its truth from depending on what was kept. */

const TABLES = ['txs', 'txs_by_method', 'txs_per_method', 'txs_per_day', 'checkpoints'];

let t: TestStore;
let asked: { readonly sql: string; readonly byteLength: number }[] = [];
beforeAll(async () => {
  t = await openTestStore();
});
afterAll(() => t.close());
beforeEach(async () => {
  asked = [];
  for (const table of TABLES) await t.store.command(`TRUNCATE TABLE ${table}`);
});

async function query(sql: string): Promise<RowBinary> {
  const rows = await t.store.query(sql);
  asked.push({ sql, byteLength: rows.length });
  return rows;
}

/** One tx a block, all of one day. */
async function commit(fromHeight: number, toHeight: number): Promise<void> {
  const heights = `numbers(${fromHeight}, ${toHeight - fromHeight + 1})`;
  await t.store.command(
    `INSERT INTO txs (height, tx_index, method, block_time_ns) SELECT number, 0, 'm', 1 FROM ${heights}`,
  );
  await writeCheckpoint(t.store, {
    height: toHeight,
    firstHeight: 1,
    blockHash: 'AB'.repeat(32),
    blockTimeNs: 1n,
    chainHeight: toHeight,
    rows: new Map(),
    generations: new Map(),
    tableGenerations: new Map(),
  });
}

test('totals and days read the newer commits only', async () => {
  const totals = createChainTotals();
  const days = createDayTotals();
  await commit(1, 10);
  expect((await totals(10, query)).total).toBe(10);
  expect([...(await days(10, query))]).toEqual([['1970-01-01', 10]]);
  await commit(11, 12);
  asked = [];
  expect((await totals(12, query)).facetJson).toBe('[{"method":"m","count":12}]');
  expect([...(await days(12, query))]).toEqual([['1970-01-01', 12]]);
  const sums = asked.filter(({ sql }) => sql.includes('sum(txs)'));
  expect(sums).toHaveLength(2);
  for (const { sql } of sums) expect(sql).toContain('height > 10 AND height <= 12');
  asked = [];
  await totals(12, query);
  await days(12, query);
  expect(asked).toEqual([]);
});

test('nothing is counted twice after the indexing process stepped back', async () => {
  const totals = createChainTotals();
  const days = createDayTotals();
  await commit(1, 8);
  await commit(9, 10);
  await Promise.all([totals(10, query), days(10, query)]);
  await deleteCheckpointsAbove(t.store, 8);
  await repairAboveCheckpoint(t.store, ['txs', 'txs_by_method', 'txs_per_method', 'txs_per_day'], 8);
  // the row of this commit covers heights that were counted before
  await commit(9, 12);
  expect((await totals(12, query)).total).toBe(12);
  expect([...(await days(12, query))]).toEqual([['1970-01-01', 12]]);
});
