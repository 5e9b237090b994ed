import { describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/store/embedded.ts';
import { digestLines, type IndexRun, indexInto } from '../support/indexing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** However the recorded chain is indexed, the store's digest is the same. */

async function digestOf(...runs: readonly IndexRun[]): Promise<string[]> {
  const folder = await temporaryFolder();
  try {
    const stores = await openEmbedded({ folder: folder.path });
    try {
      for (const run of runs) await indexInto(stores, run);
      return await digestLines(stores);
    } finally {
      await stores.close();
    }
  } finally {
    await folder.remove();
  }
}

describe('digests', () => {
  it('are equal for 1, 2 and 4 workers and other sizes of ranges and commits', async () => {
    const reference = await digestOf({ workers: 1 });
    expect(reference).toHaveLength(2);
    expect(await digestOf({ workers: 2, rangeBlocks: 7, commitBlocks: 13 })).toEqual(reference);
    expect(await digestOf({ workers: 4, rangeBlocks: 501, commitBlocks: 100_000 })).toEqual(reference);
  }, 120_000);
});
