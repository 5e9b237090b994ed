import { setImmediate } from 'node:timers/promises';
import { createBodyBudget } from 'strata-kit/body-budget';
import type { Codec } from 'strata-kit/codec/codec';
import { createHolding } from 'strata-kit/holding';
import { describe, expect, it } from 'vitest';
import type { Chain } from '../../src/comet/types.ts';
import { answerBody } from '../../src/evm-rpc/answer.ts';
import { type EthereumBlock, openBlocks } from '../../src/evm-rpc/blocks.ts';
import { feeHistory } from '../../src/evm-rpc/fee-history.ts';
import { getLogs } from '../../src/evm-rpc/logs.ts';
import type { EthereumNode } from '../../src/evm-rpc/node.ts';
import { createLane } from '../../src/lane.ts';
import type { EthereumTx } from '../../src/modules/evm/transaction.ts';
import { NOBODY } from '../../src/simulation/simulations.ts';
import { textOf } from './support.ts';

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

  it('gives all requests of a round 5 ms together', async () => {
    let nowMs = 0;
    const lane = createLane(() => nowMs);
    expect(lane.step('a')).toBeUndefined();
    nowMs = 4.9;
    expect(lane.step('b')).toBeUndefined();
    nowMs = 5;
    const [a, b] = [lane.step('a'), lane.step('b')];
    await a;
    expect(lane.step('a')).toBeUndefined();
    nowMs = 10;
    expect(lane.step('c')).toBeInstanceOf(Promise);
    await b;
  });
});

const holding = createHolding(createBodyBudget(1_000_000));

function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the thread that makes blocks has its turn within', () => {
  /** Each block takes 10 ms to look at. */
  const BLOCKS = 12;
  const slow = {
    lane: createLane(),
    parameters: { minGasPrice: 1n },
    chain: { latestHeight: () => BLOCKS, earliestHeight: () => 1 },
    blocks: {
      at: async () => {
        spin(10);
        return { txs: [] } as unknown as EthereumBlock;
      },
    },
  } as unknown as EthereumNode;

  /** One block of one tx, each of whose logs takes 10 ms to read. */
  function* logs() {
    for (let index = 0; index < BLOCKS; index++) {
      spin(10);
      yield { address: '0x', topics: [], data: new Uint8Array(0), index };
    }
  }
  const tx = { hash: '0x', from: new Uint8Array(20), to: new Uint8Array(20), type: 0 };
  const many = {
    ...slow,
    blocks: {
      at: async () => ({
        block: { id: { hash: 'AB' }, header: { height: 1 } },
        txs: [
          {
            ...{ tx: { ...tx, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, index: 0, succeeded: true },
            ...{ gasUsed: 1n, cumulativeGasUsed: 1n, logs },
          },
        ],
      }),
    },
  } as unknown as EthereumNode;

  /** One block of txs that take 10 ms each to be taken apart. */
  const typeUrl = Buffer.from('/cosmos.evm.vm.v1.MsgEthereumTx');
  const txBytes = Buffer.concat([Buffer.of(0x0a, typeUrl.length), typeUrl]);
  const unread = openBlocks({
    ...{ lane: createLane(), read: () => tx as unknown as EthereumTx },
    chain: {
      ...{ latestHeight: () => 1, earliestHeight: () => 1 },
      block: () => ({
        ...{ id: { hash: 'AB' }, header: { height: 1 }, sizeBytes: 1, events: [] },
        txs: Array.from({ length: BLOCKS }, () => txBytes),
        results: Array.from({ length: BLOCKS }, () => ({
          ...{ code: 0, log: '', data: new Uint8Array(0), gasUsed: 1n, events: [{}] },
        })),
      }),
    } as unknown as Chain,
    codec: {
      decode: () => {
        spin(10);
        return { messages: [{ '@type': String(typeUrl), raw: '' }] };
      },
    } as unknown as Codec,
  });

  const asking = (node: EthereumNode, body: unknown) =>
    answerBody(node, JSON.stringify(body), { caller: NOBODY, onError: () => {}, holding });

  it.each<[string, () => Promise<unknown>]>([
    [
      'eth_getBlockReceipts of a block with many logs',
      () => asking(many, { id: 1, method: 'eth_getBlockReceipts' }),
    ],
    [
      'eth_getLogs of a block with many logs that are not asked for',
      () => asking(many, { id: 1, method: 'eth_getLogs', params: [{ address: `0x${'11'.repeat(20)}` }] }),
    ],
    ['a block with many txs', async () => expect((await unread.at(1, ''))?.txs).toHaveLength(BLOCKS)],
    ['eth_getLogs', () => textOf(getLogs(slow, [{ fromBlock: '0x1' }], NOBODY))],
    ['eth_feeHistory', async () => feeHistory(slow, [BLOCKS, 'latest'], NOBODY)],
    [
      'a batch',
      () => {
        const call = { id: 1, method: 'eth_getBlockTransactionCountByNumber', params: ['latest'] };
        return asking(
          slow,
          Array.from({ length: BLOCKS }, () => call),
        );
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
