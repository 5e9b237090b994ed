import { beforeAll, describe, expect, it } from 'vitest';
import type { BlockSource } from '../../src/chain/source.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { CommitReport } from '../../src/pipeline/messages.ts';
import { IS_FULL } from '../support/full.ts';
import {
  digestLines,
  digestOf,
  type IndexRun,
  indexInto,
  recordedSource,
  rowCounts,
  withFreshStore,
} from '../support/indexing.ts';
import { withNodes } from '../support/nodes.ts';

/** However the recorded chain is indexed, the store's digest is the same. */

/** Of commits of one block, each some sixty inserts, `npm test` has as many as it takes to see txs: the first at 32. */
const TXS_END = 36;

describe('digests', () => {
  let reference: string[];
  beforeAll(async () => {
    reference = await withFreshStore(async (stores) => {
      await indexInto(stores, { workers: 1 });
      const { tables, checkpoint } = await rowCounts(stores);
      expect(checkpoint).toEqual(tables);
      expect(tables.blocks).toBe(501);
      return digestLines(stores);
    });
  }, 120_000);

  it('have a line per range and one for all', () => {
    const [range, all] = reference;
    expect(reference).toHaveLength(2);
    expect(range).toMatch(/^1 501 [0-9a-f]{64}$/);
    expect(all).toBe(range);
  });

  const runs: readonly (readonly [name: string, run: IndexRun])[] = [
    ['the same again in another folder', { workers: 1 }],
    ['2 workers, odd ranges, commits of 13 blocks', { workers: 2, rangeBlocks: 7, commitBlocks: 13 }],
    ['4 workers, one range, one commit', { workers: 4, rangeBlocks: 501, commitBlocks: 100_000 }],
  ];
  it.each(runs)(
    'are equal for %s',
    async (_name, run) => {
      expect(await digestOf(run)).toEqual(reference);
    },
    120_000,
  );

  it('are equal when a node is asked instead of the recording', async () => {
    const digest = await withNodes([{}], (source) => digestOf({ source, workers: 2 }));
    expect(digest).toEqual(reference);
  }, 120_000);

  it('are equal for memory that one range fills', async () => {
    const toHeight = IS_FULL ? 501 : 120;
    const expected = IS_FULL ? reference : await digestOf({ toHeight });
    expect(await digestOf({ toHeight, workers: 2, memoryBytes: 400_000 })).toEqual(expected);
  }, 120_000);

  it('are equal for every block alone', async () => {
    const toHeight = IS_FULL ? 60 : TXS_END;
    const expected = await digestOf({ toHeight });
    const alone = { toHeight, rangeBlocks: 1, commitBlocks: 1, memoryBytes: 1 };
    expect(await digestOf(alone)).toEqual(expected);
  }, 120_000);

  it('are equal when the head is followed block by block', async () => {
    const toHeight = IS_FULL ? 40 : 12;
    const expected = await digestOf({ toHeight });
    const recorded = await recordedSource();
    let committed = 0;
    // the next block exists when the one before is committed
    const growing: BlockSource = {
      ...recorded,
      head: async () => ({ ...(await recorded.head()), latestHeight: Math.min(toHeight, committed + 1) }),
      waitForHeightAbove: (_height, _timeoutMs, signal) => systemClock.sleep(5, signal),
    };
    const sizes: number[] = [];
    const onCommit = (commit: CommitReport): void => {
      committed = commit.height;
      sizes.push(commit.blocks);
    };
    expect(await digestOf({ source: growing, toHeight, onCommit })).toEqual(expected);
    expect(sizes).toEqual(Array.from({ length: toHeight }, () => 1));
  }, 120_000);

  it('are equal when a node reveals its blocks while it is indexed', async () => {
    const toHeight = 60;
    const expected = await digestOf({ toHeight });
    const followed = await withNodes([{ paceMs: 20 }], (source) => digestOf({ source, toHeight }));
    expect(followed).toEqual(expected);
  }, 120_000);
});
