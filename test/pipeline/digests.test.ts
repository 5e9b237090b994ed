import { beforeAll, describe, expect, it } from 'vitest';
import {
  digestLines,
  digestOf,
  type IndexRun,
  indexInto,
  rowCounts,
  withFreshStore,
} from '../support/indexing.ts';
import { withNodes } from '../support/nodes.ts';

/** However the recorded chain is indexed, the store's digest is the same. */

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
    ['memory that one range fills', { workers: 2, memoryBytes: 400_000 }],
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

  it('are equal for every block alone, and when the head is followed block by block', async () => {
    const toHeight = 60;
    const expected = await digestOf({ toHeight });
    expect(await digestOf({ toHeight, rangeBlocks: 1, commitBlocks: 1, memoryBytes: 1 })).toEqual(expected);
    const commits: number[] = [];
    const followed = await withNodes([{ paceMs: 40 }], (source) =>
      digestOf({ source, toHeight, onCommit: ({ blocks }) => commits.push(blocks) }),
    );
    expect(followed).toEqual(expected);
    expect(commits.length).toBeGreaterThan(20);
  }, 120_000);
});
