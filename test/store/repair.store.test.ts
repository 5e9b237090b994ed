import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { readCheckpoint, writeCheckpoint } from '../../src/store/checkpoints.ts';
import { rangeDigests } from '../../src/store/digests.ts';
import { recoverStore } from '../../src/store/recovery.ts';
import { countRows, findDifference, HEIGHT_TABLES, repairAboveCheckpoint } from '../../src/store/repair.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

describe('repair at start', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    for (const table of [...HEIGHT_TABLES, 'checkpoints'])
      await test.store.command(`TRUNCATE TABLE ${table}`);
    // 20 heights in commits of 10; in the second, txs arrived and two of its views did not.
    for (const [from, to] of [
      [1, 10],
      [11, 20],
    ] as const) {
      const heights = `numbers(${from}, ${to - from + 1})`;
      await test.store.command(`INSERT INTO blocks (height) SELECT number FROM ${heights}`);
      await test.store.command(
        `INSERT INTO txs (height, tx_index, method) SELECT number, 0, 'm' FROM ${heights}`,
      );
      await test.store.command(
        `INSERT INTO account_txs (account, height) SELECT toString(number % 3), number FROM ${heights}`,
      );
    }
    for (const view of ['txs_by_method', 'txs_per_day']) {
      await test.store.command(`DELETE FROM ${view} WHERE height > 10 SETTINGS lightweight_deletes_sync = 2`);
    }
  });

  async function heights(table: string): Promise<number[]> {
    const rows = new RowReader(await test.store.query(`SELECT height FROM ${table} ORDER BY height`));
    const found: number[] = [];
    while (!rows.done) found.push(rows.u64());
    return found;
  }

  const TO_10 = Array.from({ length: 10 }, (_, i) => i + 1);

  it('deletes exactly what lies above the checkpoint', async () => {
    const deleted = await repairAboveCheckpoint(test.store, HEIGHT_TABLES, 10);
    expect(deleted).toEqual(
      new Map([
        ['blocks', 10],
        ['txs', 10],
        ['account_txs', 10],
        ['txs_per_method', 1],
      ]),
    );
    for (const table of ['blocks', 'txs', 'account_txs', 'txs_by_method'])
      expect(await heights(table)).toEqual(TO_10);
    expect(await heights('txs_per_method')).toEqual([10]);
    expect(await repairAboveCheckpoint(test.store, HEIGHT_TABLES, 10)).toEqual(new Map());
  });

  it('takes the same heights again afterwards', async () => {
    await repairAboveCheckpoint(test.store, HEIGHT_TABLES, 10);
    await test.store.command(
      "INSERT INTO txs (height, tx_index, method) SELECT number, 0, 'm' FROM numbers(11, 10)",
    );
    expect((await heights('txs')).length).toBe(20);
    expect((await heights('txs_by_method')).length).toBe(20);
    await test.store.command('OPTIMIZE TABLE txs FINAL');
    expect((await countRows(test.store, ['txs'])).get('txs')).toBe(20);
  });

  it('empties every table of a store without a checkpoint', async () => {
    const deleted = await repairAboveCheckpoint(test.store, HEIGHT_TABLES, undefined);
    expect(deleted.get('txs_by_method')).toBe(10);
    expect([...(await countRows(test.store, HEIGHT_TABLES)).values()].every((count) => count === 0)).toBe(
      true,
    );
  });

  it('leaves a store alone that has nothing above the checkpoint', async () => {
    expect(await repairAboveCheckpoint(test.store, HEIGHT_TABLES, 20)).toEqual(new Map());
    expect((await heights('blocks')).length).toBe(20);
  });

  const NO_GENERATIONS = { generations: new Map(), tableGenerations: new Map() };

  /** Checkpoints at these heights, with what the tables hold at or below each. */
  async function writeCheckpoints(...heights: readonly number[]): Promise<void> {
    for (const height of heights) {
      const rows = await countRows(test.store, HEIGHT_TABLES, `height <= ${height}`);
      const blockHash = '0A'.repeat(32);
      await writeCheckpoint(test.store, {
        height,
        firstHeight: 1,
        blockHash,
        blockTimeNs: 0n,
        chainHeight: 20,
        generations: new Map(),
        tableGenerations: new Map(),
        rows,
      });
    }
  }

  const dropHeight = (table: string, height: number): Promise<void> =>
    test.store.command(`DELETE FROM ${table} WHERE height = ${height} SETTINGS lightweight_deletes_sync = 2`);

  it('names a table whose rows are not what the checkpoint counted', async () => {
    const rows = await countRows(test.store, HEIGHT_TABLES);
    expect(await findDifference(test.store, { ...NO_GENERATIONS, rows })).toBeUndefined();
    await dropHeight('account_txs', 4);
    expect(await findDifference(test.store, { ...NO_GENERATIONS, rows })).toEqual({
      table: 'account_txs',
      expected: 20,
      found: 19,
    });
  });

  it('steps back to the newest checkpoint that agrees with the rows below it', async () => {
    await writeCheckpoints(5, 10, 15, 18, 20);
    await dropHeight('account_txs', 17);
    const { checkpoint, stepBack } = await recoverStore(test.store);
    expect(checkpoint?.height).toBe(15);
    expect(stepBack).toEqual({
      table: 'account_txs',
      expected: 20,
      found: 19,
      fromHeight: 20,
      toHeight: 15,
    });
    expect((await readCheckpoint(test.store))?.height).toBe(15);
    for (const table of ['blocks', 'txs', 'account_txs'])
      expect(Math.max(...(await heights(table)))).toBe(15);
    expect(await recoverStore(test.store)).toEqual({ checkpoint, deletedRows: 0, stepBack: undefined });
  });

  it('stops when no checkpoint agrees, and changes nothing', async () => {
    await writeCheckpoints(5, 10, 15, 20);
    await dropHeight('account_txs', 4);
    await expect(recoverStore(test.store)).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining(
        'Table account_txs has 19 rows, and the checkpoint at height 20 says 20; none of the 3 before it agrees either',
      ),
    });
    expect((await readCheckpoint(test.store))?.height).toBe(20);
    expect((await heights('blocks')).length).toBe(20);
  });

  it('stops when rows do not go', async () => {
    const stubborn = { ...test.store, command: async () => {} };
    await expect(repairAboveCheckpoint(stubborn, HEIGHT_TABLES, 15)).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining('Table blocks still has 5 rows above the checkpoint 15'),
    });
  });

  it('lets no digest be told of a store that lost rows', async () => {
    await test.store.command(
      "INSERT INTO height_digests (height, digest) SELECT number, toFixedString('d', 32) FROM numbers(1, 20)",
    );
    const rows = await countRows(test.store, HEIGHT_TABLES, 'height <= 10');
    const blockHash = 'AB'.repeat(32);
    const checkpoint = {
      height: 10,
      firstHeight: 1,
      blockHash,
      blockTimeNs: 0n,
      chainHeight: 10,
      generations: new Map(),
      tableGenerations: new Map(),
      rows,
    };
    await writeCheckpoint(test.store, checkpoint);
    // the rows above 10 are those of a commit in hand
    const told = await all(rangeDigests(test.store));
    expect(told.map(({ toHeight }) => toHeight)).toEqual([10, 10]);
    await test.store.command(
      'DELETE FROM account_txs WHERE height = 4 SETTINGS lightweight_deletes_sync = 2',
    );
    await expect(all(rangeDigests(test.store))).rejects.toMatchObject({
      code: 'store_damaged',
      message: 'Table account_txs has 9 rows up to height 10, and the checkpoint says 10',
    });
  });
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
