import type { StepClock } from '../../src/comet/step-clock.ts';
import type { Block } from '../../src/comet/types.ts';
import { type Devnet, type DevnetOptions, openDevnet } from '../../src/devnet.ts';
import { openWorkload, workloadChain } from '../../src/workload/devnet-workload.ts';
import type { Workload } from '../../src/workload/workload.ts';

/** A chain in memory with its workload, block after block. */
export interface Play {
  readonly devnet: Devnet;
  readonly workload: Workload;
  /** Until `onBlock` says false, at most so many blocks. */
  run(blocks: number, txsPerBlock: number, onBlock?: (block: Block) => boolean): Promise<void>;
}

export interface PlayOptions extends DevnetOptions {
  /** As `strata corpus --clock` takes it. */
  readonly steps?: StepClock;
}

export async function play(seed: number, { steps, ...options }: PlayOptions = {}): Promise<Play> {
  const chain = workloadChain(seed, steps);
  const devnet = await openDevnet({ ...chain.devnet, keep: 1, ...options });
  const workload = openWorkload(devnet, String(seed), chain.workload);
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
