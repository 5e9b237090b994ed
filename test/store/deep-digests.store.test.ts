import { describe, expect, it } from 'vitest';
import { deepDigests } from '../../src/store/deep-digests.ts';
import { rangeDigests } from '../../src/store/digests.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../support/embedded-store.ts';
import { indexInto, withFreshStore } from '../support/indexing.ts';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

describe('the digest of the rows as they stand', () => {
  it('is the same however a store was filled', async () => {
    const deep = (commitBlocks: number, rangeBlocks: number) =>
      withFreshStore(async (stores) => {
        await indexInto(stores, { toHeight: 70, commitBlocks, rangeBlocks });
        return all(deepDigests(await stores.open('deep')));
      });
    const digests = await deep(2_000, 50);
    expect(digests.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])).toEqual([
      [1, 70],
      [1, 70],
    ]);
    expect(await deep(15, 7)).toEqual(digests);
  });

  it(
    'tells a row that was changed in place, which the stored digests do not',
    () =>
      withFreshStore(async (stores) => {
        await indexInto(stores, { toHeight: 60 });
        const store = await stores.open('deep');
        const before = { stored: await all(rangeDigests(store)), deep: await all(deepDigests(store)) };
        for (const change of ['txs UPDATE gas_used = gas_used + 1', "transfers UPDATE amount = '1x'"]) {
          const deep = await all(deepDigests(store));
          await store.command(`ALTER TABLE ${change} WHERE height = 58 SETTINGS mutations_sync = 2`);
          expect(await all(rangeDigests(store))).toEqual(before.stored);
          expect(await all(deepDigests(store))).not.toEqual(deep);
        }
      }),
    60_000,
  );

  it('has a line a range, of which one changes with its rows, and leaves out what lies above the checkpoint', async () => {
    const test = await openTestStore();
    try {
      await fill(test.store);
      const before = await all(deepDigests(test.store));
      expect(before.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])).toEqual([
        [990, 1_000],
        [1_001, 2_000],
        [2_001, 2_010],
        [990, 2_010],
      ]);
      await test.store.command("INSERT INTO txs (height, tx_index, method) VALUES (2011, 0, 'm')");
      expect(await all(deepDigests(test.store))).toEqual(before);
      await test.store.command("INSERT INTO txs (height, tx_index, method) VALUES (1500, 1, 'm')");
      const after = await all(deepDigests(test.store));
      expect(after.map((line, i) => line.sha256 === before[i]?.sha256)).toEqual([true, false, true, false]);
    } finally {
      await test.close();
    }
  });

  it('is nothing for a store without a commit', async () => {
    const test = await openTestStore();
    expect(await all(deepDigests(test.store))).toEqual([]);
    await test.close();
  });
});

async function fill(store: Store): Promise<void> {
  await store.command(
    "INSERT INTO txs (height, tx_index, method) SELECT number, 0, 'm' FROM numbers(990, 1021)",
  );
  await store.command(`INSERT INTO checkpoints (height, first_height, block_hash, block_time_ns, chain_height, rows)
SELECT 2010, 990, toFixedString('h', 32), 0, 2010, CAST(map(), 'Map(String, UInt64)')`);
}
