import { describe, expect, it } from 'vitest';
import type { EthereumBlock } from '../../src/evm-rpc/blocks.ts';
import { getLogs, LOG_LIMITS } from '../../src/evm-rpc/logs.ts';
import type { EthereumNode } from '../../src/evm-rpc/node.ts';
import type { ExecutedLog } from '../../src/evm-rpc/response.ts';
import { createLane } from '../../src/lane.ts';
import { NOBODY } from '../../src/simulation/simulations.ts';
import { textOf } from './support.ts';

const log: ExecutedLog = { address: `0x${'01'.repeat(20)}`, topics: [], data: new Uint8Array(0), index: 0 };

/** Blocks of one tx with so many logs each. */
function nodeWith(latest: number, logsEach: number) {
  const read = { logs: 0 };
  function* logs() {
    for (let index = 0; index < logsEach; index++) {
      read.logs += 1;
      yield { ...log, index };
    }
  }
  const at = async (height: number) =>
    ({
      block: { id: { hash: 'AB' }, header: { height } },
      txs: [{ tx: { hash: '0x' }, index: 0, logs }],
    }) as unknown as EthereumBlock;
  const node = {
    chain: { latestHeight: () => latest, earliestHeight: () => 1 },
    blocks: { at },
    lane: createLane(),
  } as unknown as EthereumNode;
  return { node, read };
}

describe('eth_getLogs', () => {
  const all = [{ fromBlock: '0x1', toBlock: 'latest' }];
  const ask = async (node: EthereumNode): Promise<unknown> =>
    JSON.parse(await textOf(getLogs(node, all, NOBODY)));

  it('looks through so many blocks and no more', async () => {
    expect(await ask(nodeWith(LOG_LIMITS.blocks, 0).node)).toEqual([]);
    await expect(ask(nodeWith(LOG_LIMITS.blocks + 1, 0).node)).rejects.toThrow(
      'query exceeds max block range 10000: ask for fewer blocks at once',
    );
  });

  it('answers so many logs and no more', async () => {
    expect(await ask(nodeWith(10, LOG_LIMITS.logs / 10).node)).toHaveLength(LOG_LIMITS.logs);
    await expect(ask(nodeWith(11, LOG_LIMITS.logs / 10).node)).rejects.toThrow(
      'query returned more than 10000 results',
    );
  });

  it('reads no further in a block that has more', async () => {
    const { node, read } = nodeWith(1, 10 * LOG_LIMITS.logs);
    await expect(ask(node)).rejects.toThrow('query returned more than 10000 results');
    expect(read.logs).toBe(LOG_LIMITS.logs + 1);
  });
});
