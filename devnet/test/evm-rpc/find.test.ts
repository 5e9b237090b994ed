import type { Codec } from 'strata-kit/codec/codec';
import { describe, expect, it } from 'vitest';
import type { Block, Chain } from '../../src/comet/types.ts';
import { openBlocks } from '../../src/evm-rpc/blocks.ts';
import { createLane } from '../../src/lane.ts';

/** A chain of which each block has the hash `0x<height>`, but one that stands in two. */
function chainOf(latest: number, asked: number[]) {
  const chain = {
    latest,
    latestHeight: () => chain.latest,
    earliestHeight: () => 1,
    block(height: number) {
      asked.push(height);
      const hash = height === 3 || height === 7 ? '0xtwice' : `0x${height}`;
      const attributes = [
        ['ethereumTxHash', hash],
        ['txIndex', '2'],
      ];
      return {
        results: [{ events: [] }, { events: [{ type: 'ethereum_tx', attributes }] }],
      } as unknown as Block;
    },
  };
  return chain;
}

describe('a tx by its hash', () => {
  const open = (chain: object) =>
    openBlocks({
      chain: chain as Chain,
      codec: {} as Codec,
      lane: createLane(),
      read: () => {
        throw new Error('no tx is taken apart');
      },
    });

  it('is looked for from the head backwards, and no further than it stands', async () => {
    const asked: number[] = [];
    const blocks = open(chainOf(200, asked));
    expect(await blocks.find('0x198')).toEqual({ height: 198, index: 2 });
    expect(asked).toEqual([200, 199, 198]);
    expect(await blocks.find('0x199')).toEqual({ height: 199, index: 2 });
    expect(asked).toHaveLength(3);
  });

  it('is found in blocks that come later, and each block is looked through once', async () => {
    const asked: number[] = [];
    const chain = chainOf(150, asked);
    const blocks = open(chain);
    expect(await blocks.find('0xnone')).toBeUndefined();
    chain.latest = 152;
    expect(await blocks.find('0x152')).toEqual({ height: 152, index: 2 });
    expect(await Promise.all([blocks.find('0xnone'), blocks.find('0x1')])).toEqual([
      undefined,
      { height: 1, index: 2 },
    ]);
    expect(asked).toHaveLength(152);
  });

  it('is the newest of two', async () => {
    const blocks = open(chainOf(10, []));
    expect(await blocks.find('0x1')).toBeDefined();
    expect(await blocks.find('0xtwice')).toEqual({ height: 7, index: 2 });
  });
});
