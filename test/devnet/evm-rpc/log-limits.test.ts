import { describe, expect, it } from 'vitest';
import type { EthereumBlock, ExecutedLog } from '../../../src/devnet/evm-rpc/blocks.ts';
import { createLane } from '../../../src/devnet/evm-rpc/lane.ts';
import { getLogs, LOG_LIMITS } from '../../../src/devnet/evm-rpc/logs.ts';
import type { EthereumNode } from '../../../src/devnet/evm-rpc/node.ts';
import { NOBODY } from '../../../src/devnet/simulation/simulations.ts';

const log: ExecutedLog = {
  address: new Uint8Array(20).fill(1),
  topics: [],
  data: new Uint8Array(0),
  index: 0,
};

/** Blocks of one tx with so many logs each. */
function nodeWith(latest: number, logsEach: number): EthereumNode {
  const logs = Array.from({ length: logsEach }, (_, index) => ({ ...log, index }));
  const at = (height: number) =>
    ({
      block: { id: { hash: 'AB' }, header: { height } },
      txs: [{ tx: { hash: '0x' }, index: 0, logs }],
    }) as unknown as EthereumBlock;
  return {
    chain: { latestHeight: () => latest, earliestHeight: () => 1 },
    blocks: { at },
    lane: createLane(),
  } as unknown as EthereumNode;
}

describe('eth_getLogs', () => {
  const all = [{ fromBlock: '0x1', toBlock: 'latest' }];

  it('looks through so many blocks and no more', async () => {
    expect(await getLogs(nodeWith(LOG_LIMITS.blocks, 0), all, NOBODY)).toEqual([]);
    await expect(getLogs(nodeWith(LOG_LIMITS.blocks + 1, 0), all, NOBODY)).rejects.toThrow(
      'query exceeds max block range 10000: ask for fewer blocks at once',
    );
  });

  it('answers so many logs and no more', async () => {
    expect(await getLogs(nodeWith(10, LOG_LIMITS.logs / 10), all, NOBODY)).toHaveLength(LOG_LIMITS.logs);
    await expect(getLogs(nodeWith(11, LOG_LIMITS.logs / 10), all, NOBODY)).rejects.toThrow(
      'query returned more than 10000 results',
    );
  });
});
