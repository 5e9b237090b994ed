import { type Child, startChild } from './support/child.ts';
import { runFloor } from './support/floor.ts';
import { benchFolder } from './support/folders.ts';
import type { Figure } from './support/report.ts';

interface Served {
  readonly blocksPerSecond: number;
  readonly megabytesPerSecond: number;
  /** Of the node. */
  readonly cpuMsPerBlock: number;
}

const KEEP_ALL = 4_000_000_000;

/**
 * Blocks/s that the backfill's floor (fetch and JSON.parse) gets from the reference chain's RPC over the recording's
 * blocks, printed anew and kept printed, against the same floor on a node that sends prebuilt texts; and from a devnet
 * over blocks of its workload, read from its folder.
 */
export async function benchDevnetRpc(
  blocks: number,
  workloadBlocks: number,
  workers: number,
): Promise<Figure[]> {
  const prebuilt = await served('./support/stretched-node.js', [blocks, 'recorded'], blocks, workers, 1);
  const printed = await served('./support/devnet-node.js', [blocks, 1], blocks, workers, 1);
  const kept = await served('./support/devnet-node.js', [blocks, KEEP_ALL], blocks, workers, 2);
  const again = await served('./support/stretched-node.js', [blocks, 'recorded'], blocks, workers, 1);
  const own = ['./support/devnet-chain.js', [workloadBlocks, 1, benchFolder()]] as const;
  // the first rounds are those of a compiler that warms up
  const workload = await served(...own, workloadBlocks, workers, 4);
  const floor = (prebuilt.blocksPerSecond + again.blocksPerSecond) / 2;
  return [
    { name: 'floor on prebuilt texts', value: floor, unit: 'blocks/s' },
    { name: "prebuilt texts, node's CPU", value: prebuilt.cpuMsPerBlock, unit: 'ms a block' },
    { name: 'floor on the devnet RPC, printing', value: printed.blocksPerSecond, unit: 'blocks/s' },
    { name: 'floor on the devnet RPC, printing', value: printed.megabytesPerSecond, unit: 'MB/s' },
    { name: "printing, node's CPU", value: printed.cpuMsPerBlock, unit: 'ms a block' },
    { name: 'printing ÷ prebuilt', value: printed.blocksPerSecond / floor, unit: 'ratio' },
    { name: 'floor on the devnet RPC, kept', value: kept.blocksPerSecond, unit: 'blocks/s' },
    { name: "kept, node's CPU", value: kept.cpuMsPerBlock, unit: 'ms a block' },
    { name: 'kept ÷ prebuilt', value: kept.blocksPerSecond / floor, unit: 'ratio' },
    { name: 'floor on a devnet of 10 txs a block', value: workload.blocksPerSecond, unit: 'blocks/s' },
    { name: 'floor on a devnet of 10 txs a block', value: workload.megabytesPerSecond, unit: 'MB/s' },
    { name: "devnet, node's CPU", value: workload.cpuMsPerBlock, unit: 'ms a block' },
  ];
}

/** The last of so many rounds. */
async function served(
  script: string,
  args: readonly (string | number)[],
  blocks: number,
  workers: number,
  rounds: number,
): Promise<Served> {
  const node: Child = await startChild(new URL(script, import.meta.url), args.map(String));
  try {
    let last: Served | undefined;
    for (let round = 0; round < rounds; round++) {
      const cpuBefore = node.cpuSeconds();
      const { seconds, bytes } = await runFloor(node.ready, blocks, workers);
      last = {
        blocksPerSecond: blocks / seconds,
        megabytesPerSecond: bytes / 1e6 / seconds,
        cpuMsPerBlock: ((node.cpuSeconds() - cpuBefore) * 1_000) / blocks,
      };
    }
    if (last === undefined) throw new Error('no round');
    return last;
  } finally {
    await node.stop();
  }
}
