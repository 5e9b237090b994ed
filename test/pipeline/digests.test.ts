import { beforeAll, describe, expect, it } from 'vitest';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { type ReplayOptions, startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import {
  digestLines,
  digestOf,
  type IndexRun,
  indexInto,
  rowCounts,
  withFreshStore,
} from '../support/indexing.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';

/** However the recorded chain is indexed, the store's digest is the same. */

type ReplayChoice = Pick<ReplayOptions, 'paceMs'>;

/** Runs with a node's RPC over loopback as the source. */
async function withNode<T>(choice: ReplayChoice, use: (source: BlockSource) => Promise<T>): Promise<T> {
  const capture = await openCapture(FIXTURE_FOLDER.pathname);
  const node = await startReplay({ capture, host: '127.0.0.1', port: 0, ...choice });
  const source = createRpcSource({ urls: [node.url] });
  try {
    return await use(source);
  } finally {
    await source.close();
    await node.close();
    await capture.blocks.close();
  }
}

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
    const digest = await withNode({}, (source) => digestOf({ source, workers: 2 }));
    expect(digest).toEqual(reference);
  }, 120_000);

  it('are equal for every block alone, and when the head is followed block by block', async () => {
    const toHeight = 60;
    const expected = await digestOf({ toHeight });
    expect(await digestOf({ toHeight, rangeBlocks: 1, commitBlocks: 1, memoryBytes: 1 })).toEqual(expected);
    const commits: number[] = [];
    const followed = await withNode({ paceMs: 40 }, (source) =>
      digestOf({ source, toHeight, onCommit: ({ blocks }) => commits.push(blocks) }),
    );
    expect(followed).toEqual(expected);
    expect(commits.length).toBeGreaterThan(20);
  }, 120_000);
});
