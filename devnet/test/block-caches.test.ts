import type { Codec } from 'strata-kit/codec/codec';
import { describe, expect, it } from 'vitest';
import { openBlockStore } from '../src/comet/store.ts';
import type { Block, Chain, Commit } from '../src/comet/types.ts';
import { openBlocks } from '../src/evm-rpc/blocks.ts';
import { createLane } from '../src/lane.ts';
import { createMemoryKv } from '../src/state/kv.ts';

/** Caches of blocks hold so many bytes, not only so many blocks. */

const blockOf = (height: number, sizeBytes: number) =>
  ({
    ...{ id: { hash: `H${height}` }, header: { height }, sizeBytes },
    ...{ txs: [], results: [], events: [] },
  }) as unknown as Block;

describe('the cache of blocks that were read', () => {
  const readsAgain = (sizeBytes: number) => {
    const kv = createMemoryKv();
    const read: string[] = [];
    const get = (key: string) => {
      read.push(key);
      return kv.get(key);
    };
    const store = openBlockStore({ ...kv, get }, { keep: undefined });
    for (let height = 1; height <= 30; height++) store.append(blockOf(height, sizeBytes), {} as Commit, []);
    read.length = 0;
    store.block(1);
    return read.length > 0;
  };

  it('keeps many small ones and few large ones', () => {
    expect(readsAgain(10_000)).toBe(false);
    expect(readsAgain(10_000_000)).toBe(true);
  });
});

describe("the cache of Ethereum's blocks", () => {
  const readsAgain = async (sizeBytes: number) => {
    const read: number[] = [];
    const block = (height: number) => {
      read.push(height);
      return blockOf(height, sizeBytes);
    };
    const blocks = openBlocks({
      chain: { latestHeight: () => 30, earliestHeight: () => 1, block } as unknown as Chain,
      ...{ codec: {} as Codec, lane: createLane(), read: () => ({}) as never },
    });
    for (let height = 1; height <= 30; height++) await blocks.at(height, '');
    read.length = 0;
    await blocks.at(1, '');
    return read.length > 0;
  };

  it('keeps many small ones and few large ones', async () => {
    expect(await readsAgain(10_000)).toBe(false);
    expect(await readsAgain(4_000_000)).toBe(true);
  });
});
