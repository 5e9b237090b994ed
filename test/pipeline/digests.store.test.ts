import { systemClock } from 'strata-kit/clock';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BlockSource } from '../../src/chain/source.ts';
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
import { recordedDigest } from '../support/recorded-digests.ts';

/** However the recorded chain is indexed, the store's digest is the same. */

/** A commit of one block costs some sixty inserts: only some blocks are alone. The first tx is at 32, typed events are at 57 and 58. */
const BEFORE_TXS = 31;
const BEFORE_TYPED = 56;

describe('digests', () => {
  let reference: readonly string[];
  beforeAll(async () => {
    reference = await recordedDigest();
  }, 120_000);

  it('have a line per range and one for all', () => {
    const [range, all] = reference;
    expect(reference).toHaveLength(2);
    expect(range).toMatch(/^1 501 [0-9a-f]{64}$/);
    expect(all).toBe(range);
  });

  // of ranges and commits none ends where another run has an end, nor at the seal of height 256
  const runs: readonly (readonly [name: string, run: IndexRun])[] = [
    ['2 workers, odd ranges, commits of 83 blocks', { workers: 2, rangeBlocks: 7, commitBlocks: 83 }],
    ['4 workers, one range, one commit', { workers: 4, rangeBlocks: 501, commitBlocks: 100_000 }],
  ];
  it.each(runs)(
    'are equal for %s, and the checkpoint counts the rows',
    (_name, run) =>
      withFreshStore(async (stores) => {
        await indexInto(stores, run);
        expect(await digestLines(stores)).toEqual(reference);
        const { tables, checkpoint } = await rowCounts(stores);
        expect(checkpoint).toEqual(tables);
        expect(tables.blocks).toBe(501);
      }),
    120_000,
  );

  // test/pipeline/faults.store.test.ts asks a node for all 501
  it('are equal when a node is asked instead of the recording, with memory that one range fills', async () => {
    const toHeight = 120;
    const digest = await withNodes([{}], (source) =>
      digestOf({ source, toHeight, workers: 2, memoryBytes: 400_000 }),
    );
    expect(digest).toEqual(await recordedDigest(toHeight));
  }, 120_000);

  it.runIf(IS_FULL)(
    'are equal for every block alone: the first ones, those with the first txs, those with typed events',
    async () => {
      const alone = { rangeBlocks: 1, commitBlocks: 1, memoryBytes: 1 };
      const digest = await digestOf(
        { ...alone, toHeight: 2 },
        { toHeight: BEFORE_TXS },
        { ...alone, toHeight: BEFORE_TXS + 4 },
        { toHeight: BEFORE_TYPED },
        { ...alone, toHeight: 60 },
      );
      expect(digest).toEqual(await recordedDigest(60));
    },
    120_000,
  );

  it('are equal when the head is followed block by block', async () => {
    const toHeight = 40;
    const recorded = await recordedSource();
    let committed = 0;
    // the next block exists when the one before is committed, but for a jump of the head
    const growing: BlockSource = {
      ...recorded,
      head: async () => ({
        ...(await recorded.head()),
        latestHeight: committed < 3 ? committed + 1 : Math.min(toHeight, Math.max(BEFORE_TXS, committed + 1)),
      }),
      waitForHeightAbove: (_height, _timeoutMs, signal) => systemClock.sleep(5, signal),
    };
    const ends: number[] = [];
    const onCommit = (commit: CommitReport): void => {
      committed = commit.height;
      ends.push(commit.height);
    };
    expect(await digestOf({ source: growing, toHeight, onCommit })).toEqual(await recordedDigest(toHeight));
    const followed = Array.from({ length: toHeight - BEFORE_TXS + 1 }, (_, i) => BEFORE_TXS + i);
    expect(ends.filter((height) => height <= 3)).toEqual([1, 2, 3]);
    expect(ends.filter((height) => height >= BEFORE_TXS)).toEqual(followed);
  }, 120_000);

  it.runIf(IS_FULL)(
    'are equal when a node reveals its blocks while it is indexed',
    async () => {
      const toHeight = 40;
      const followed = await withNodes([{ paceMs: 20 }], (source) => digestOf({ source, toHeight }));
      expect(followed).toEqual(await recordedDigest(toHeight));
    },
    120_000,
  );
});
