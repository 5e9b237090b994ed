import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rewindStore } from '../../src/store/recovery.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, indexInto, recordedSource, rowCounts } from '../support/indexing.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { changedSource } from '../support/sources.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Back to an older commit, and on from there. */

let stores: StoreFactory;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  stores = await openTestStores(folder.path);
});
afterEach(async () => {
  await stores.close();
  await folder.remove();
});

async function rewind(height: number) {
  const store = await stores.open('rewind');
  try {
    return await rewindStore(store, height);
  } finally {
    await store.close();
  }
}

/** Of the whole store. */
const digest = async (): Promise<string | undefined> => (await digestLines(stores)).at(-1);

describe('a store that is taken back', () => {
  it('ends at the commit at or below the height, and comes to the same store again', async () => {
    await indexInto(stores, { toHeight: 52, rangeBlocks: 13, commitBlocks: 26 });
    const at52 = await digest();
    await indexInto(stores, { toHeight: 100, rangeBlocks: 13, commitBlocks: 26 });
    const at100 = await digest();
    const counts = await rowCounts(stores);

    const { checkpoint, deletedRows } = await rewind(60);
    expect(checkpoint.height).toBe(52);
    expect(deletedRows).toBeGreaterThan(48);
    expect(await digest()).toBe(at52);

    await indexInto(stores, { toHeight: 100, rangeBlocks: 13, commitBlocks: 26 });
    expect(await digest()).toBe(at100);
    expect(await rowCounts(stores)).toEqual(counts);
  }, 60_000);

  it('is left as it is by a height above its end, and by one below its first commit', async () => {
    await indexInto(stores, { toHeight: 40, rangeBlocks: 20, commitBlocks: 20 });
    const before = await digest();
    expect(await rewind(1_000)).toMatchObject({ checkpoint: { height: 40 }, deletedRows: 0 });
    await expect(rewind(19)).rejects.toMatchObject({ code: 'config_invalid' });
    expect(await digest()).toBe(before);
  }, 60_000);

  it('is the way on from results of the newest block that the next one disproves', async () => {
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
    await rewind(103);
    await indexInto(stores, { toHeight: 110, verify: 'always' });
    expect(await digestLines(stores)).toEqual(await recordedDigest(110));
    await recorded.close();
  }, 60_000);
});
