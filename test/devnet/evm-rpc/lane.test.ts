import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answerBody } from '../../../src/devnet/evm-rpc/answer.ts';
import type { EthereumBlock } from '../../../src/devnet/evm-rpc/blocks.ts';
import { feeHistory } from '../../../src/devnet/evm-rpc/fee-history.ts';
import { createLane, createSlices } from '../../../src/devnet/evm-rpc/lane.ts';
import { getLogs } from '../../../src/devnet/evm-rpc/logs.ts';
import type { EthereumNode } from '../../../src/devnet/evm-rpc/node.ts';
import { NOBODY } from '../../../src/devnet/simulation/simulations.ts';

/** Requests that look through many blocks, in the thread that makes blocks. */

describe('a lane', () => {
  it('gives one slice a round of the event loop, to one client after the other', async () => {
    const lane = createLane();
    const begun: string[] = [];
    const ask = (client: string) => lane.turn(client).then(() => begun.push(client));
    const all = Promise.all([...['a', 'a', 'a', 'b'].map(ask)]);
    const rounds: number[] = [];
    while (begun.length < 4) {
      await setImmediate();
      rounds.push(begun.length);
    }
    await all;
    expect(begun).toEqual(['a', 'b', 'a', 'a']);
    expect(rounds.every((count, i) => count - (rounds[i - 1] ?? 0) <= 1)).toBe(true);
  });

  it('is asked for a turn after 5 ms of work', async () => {
    let nowMs = 0;
    const slices = createSlices(createLane(), 'a', () => nowMs);
    nowMs = 4.9;
    expect(slices.step()).toBeUndefined();
    nowMs = 5;
    await slices.step();
    expect(slices.step()).toBeUndefined();
  });
});

describe('the thread that makes blocks has its turn within', () => {
  /** Each block takes 10 ms to look at. */
  const BLOCKS = 12;
  const slow = {
    lane: createLane(),
    parameters: { minGasPrice: 1n },
    chain: { latestHeight: () => BLOCKS, earliestHeight: () => 1 },
    blocks: {
      at() {
        const until = performance.now() + 10;
        while (performance.now() < until);
        return { txs: [] } as unknown as EthereumBlock;
      },
    },
  } as unknown as EthereumNode;

  it.each<[string, () => Promise<unknown>]>([
    ['eth_getLogs', () => getLogs(slow, [{ fromBlock: '0x1' }], NOBODY)],
    ['eth_feeHistory', async () => feeHistory(slow, [BLOCKS, 'latest'], NOBODY)],
    [
      'a batch',
      () => {
        const call = { id: 1, method: 'eth_getBlockTransactionCountByNumber', params: ['latest'] };
        const body = JSON.stringify(Array.from({ length: BLOCKS }, () => call));
        return answerBody(slow, body, { caller: NOBODY, onError: () => {} });
      },
    ],
  ])('%s', async (_, ask) => {
    let rounds = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; rounds++) await setImmediate();
    })();
    await ask();
    isOver = true;
    await others;
    expect(rounds).toBeGreaterThanOrEqual(BLOCKS - 1);
  });
});
