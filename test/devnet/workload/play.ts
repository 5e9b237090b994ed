import type { Block } from '../../../src/devnet/comet/types.ts';
import { type Devnet, type DevnetOptions, openDevnet } from '../../../src/devnet/devnet.ts';
import { openWorkload } from '../../../src/devnet/workload/devnet-workload.ts';
import type { Workload } from '../../../src/devnet/workload/workload.ts';

/** A chain in memory with its workload, block after block. */
export interface Play {
  readonly devnet: Devnet;
  readonly workload: Workload;
  /** Until `onBlock` says false, at most so many blocks. */
  run(blocks: number, txsPerBlock: number, onBlock?: (block: Block) => boolean): Promise<void>;
}

export async function play(seed: number, options: DevnetOptions = {}): Promise<Play> {
  const devnet = await openDevnet({ clock: 'simulated', keep: 1, ...options, seed });
  const workload = openWorkload(devnet, String(seed));
  return {
    devnet,
    workload: workload.workload,
    async run(blocks, txsPerBlock, onBlock = () => true) {
      for (let i = 0; i < blocks; i++) {
        const block = await workload.makeBlock({ txsPerBlock });
        if (!onBlock(block)) return;
      }
    },
  };
}
