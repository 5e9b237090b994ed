import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { createMergePolicy } from '../../src/store/merge-policy.ts';
import { dumpSchema } from '../../src/store/migrations.ts';
import { alignTableSettings } from '../../src/store/table-settings.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

let test: TestStore;
beforeEach(async () => {
  test = await openTestStore();
});
afterEach(() => test.close());

/** The tables whose definition names a setting, sorted. */
async function tablesWith(setting: string): Promise<string[]> {
  const rows = new RowReader(
    await test.store.query(`SELECT name FROM system.tables
WHERE database = currentDatabase() AND engine_full LIKE '%${setting}%' ORDER BY name`),
  );
  const names: string[] = [];
  while (!rows.done) names.push(rows.string());
  return names;
}

describe('settings of tables', () => {
  it('are brought to a value and back, and what the schema sets stays', async () => {
    const schema = await dumpSchema(test.store);
    await alignTableSettings(test.store, ['txs'], { min_parts_to_merge_at_once: 7, fsync_after_insert: 1 });
    expect(await tablesWith('min_parts_to_merge_at_once = 7')).toEqual(['txs']);
    expect(await tablesWith('fsync_after_insert = 1')).toEqual(['txs']);
    await alignTableSettings(test.store, ['txs'], { min_parts_to_merge_at_once: 8, fsync_after_insert: 1 });
    expect(await tablesWith('min_parts_to_merge_at_once = 8')).toEqual(['txs']);
    const none = { min_parts_to_merge_at_once: undefined, fsync_after_insert: undefined };
    await alignTableSettings(test.store, ['txs', 'blocks'], none);
    expect(await dumpSchema(test.store)).toBe(schema);
  });

  it('of a table that is not there are an error', async () => {
    await expect(alignTableSettings(test.store, ['nowhere'], { a: 1 })).rejects.toMatchObject({
      code: 'internal',
    });
  });
});

describe('merges', () => {
  const BULK = ['blocks', 'events', 'transfers', 'txs'];
  const throttled = () => tablesWith('min_parts_to_merge_at_once = 10');

  it('of the bulk tables wait for more parts far behind the head, and no longer near it', async () => {
    const policy = createMergePolicy(test.store);
    for (const [behindBlocks, expected] of [
      [2_000, []],
      [2_001, BULK],
      [101, BULK],
      [100, []],
      [2_000, []],
      [1_000_000, BULK],
      [0, []],
    ] as const) {
      await policy.follow(behindBlocks);
      expect([behindBlocks, await throttled()]).toEqual([behindBlocks, expected]);
    }
  });

  it('are what they should be whatever the process before left', async () => {
    await createMergePolicy(test.store).follow(1_000_000);
    await createMergePolicy(test.store).follow(1_000_000);
    expect(await throttled()).toEqual(BULK);
    await createMergePolicy(test.store).follow(1_500);
    expect(await throttled()).toEqual([]);
  });

  it('take that many parts at once, and as few as the engine likes afterwards', async () => {
    const policy = createMergePolicy(test.store);
    await policy.follow(1_000_000);
    const parts = async () => {
      const rows = new RowReader(
        await test.store.query(`SELECT count() FROM system.parts
WHERE active AND database = currentDatabase() AND table = 'blocks'`),
      );
      return rows.u64();
    };
    for (let height = 1; height <= 9; height++) {
      await test.store.command(`INSERT INTO blocks (height) SELECT ${height}`);
    }
    expect(await parts()).toBe(9);
    await policy.follow(0);
    // an insert wakes the engine's choice of merges; how soon it merges is its own affair
    await test.store.command('INSERT INTO blocks (height) SELECT 10');
    await expect.poll(parts, { timeout: 60_000, interval: 50 }).toBeLessThan(9);
  });
});
