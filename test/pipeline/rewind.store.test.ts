import { beforeAll, expect, it } from 'vitest';
import { rewindStore } from '../../src/store/recovery.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, indexInto, recordedSource, rowCounts, withFreshStore } from '../support/indexing.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { changedSource } from '../support/sources.ts';

/** Back to an older commit, and on from there. */

beforeAll(async () => {
  await recordedDigest();
});

async function rewind(stores: StoreFactory, height: number) {
  const store = await stores.open('rewind');
  try {
    return await rewindStore(store, height);
  } finally {
    await store.close();
  }
}

it(
  'a store that is taken back ends at the commit at or below the height, and comes to the same store again',
  () =>
    withFreshStore(async (stores) => {
      await indexInto(stores, { toHeight: 50 });
      await indexInto(stores, { toHeight: 100 });
      const counts = await rowCounts(stores);
      expect(await rewind(stores, 1_000)).toMatchObject({ checkpoint: { height: 100 }, deletedRows: 0 });
      await expect(rewind(stores, 49)).rejects.toMatchObject({ code: 'config_invalid' });
      expect(await digestLines(stores)).toEqual(await recordedDigest(100));

      const { checkpoint, deletedRows } = await rewind(stores, 60);
      expect(checkpoint.height).toBe(50);
      expect(deletedRows).toBeGreaterThan(48);
      expect(await digestLines(stores)).toEqual(await recordedDigest(50));

      await indexInto(stores, { toHeight: 100 });
      expect(await digestLines(stores)).toEqual(await recordedDigest(100));
      expect(await rowCounts(stores)).toEqual(counts);
    }),
  60_000,
);

it(
  'it is the way on from results of the newest block that the next one disproves',
  () =>
    withFreshStore(async (stores) => {
      const recorded = await recordedSource();
      // heights to which the head confirms nothing: 104 has a tx that failed
      const wrong = changedSource(recorded, {
        latestHeight: 104,
        line: (height, line) => (height === 104 ? line.replace('"gas_used":"', '"gas_used":"1') : line),
      });
      await indexInto(stores, { toHeight: 103 });
      await indexInto(stores, { source: wrong, toHeight: 104, verify: 'always' });
      await expect(indexInto(stores, { toHeight: 110, verify: 'always' })).rejects.toMatchObject({
        code: 'parent_mismatch',
      });
      await rewind(stores, 103);
      await indexInto(stores, { toHeight: 110, verify: 'always' });
      expect(await digestLines(stores)).toEqual(await recordedDigest(110));
      await recorded.close();
    }),
  60_000,
);
