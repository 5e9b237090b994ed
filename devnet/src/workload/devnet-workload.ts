import type { ChainParameters } from '../app/parameters.ts';
import type { Plan } from '../app/plans.ts';
import type { StepClock } from '../comet/step-clock.ts';
import type { Block } from '../comet/types.ts';
import type { Devnet } from '../devnet.ts';
import { genesisContracts } from '../modules/evm/genesis.ts';
import type { ChainView } from './stage.ts';
import { treasuryPlans } from './treasury.ts';
import { createWorkload, RARE_FROM, type Workload, type WorkloadOptions } from './workload.ts';

/** The workload on a devnet. */
export interface DevnetWorkload {
  readonly workload: Workload;
  /** The chain as it is now. */
  view(): ChainView;
  /** The workload's next block, at the clock's time or at this one; what became of its txs is told to the workload. */
  makeBlock(given: { readonly txsPerBlock: number; readonly timeNs?: bigint }): Promise<Block>;
}

/** With a clock that makes days pass, rare scenarios join at once: such a chain is asked for because of them. */
const RARE_FROM_WITH_CLOCK = 40;
/** Blocks from the first rare scenario to the first plan. */
const PLANS_AFTER = 8;

/** A simulated chain with its workload: what openDevnet and openWorkload are given. */
export function workloadChain(seed: number, clock?: StepClock) {
  const rareFrom = clock === undefined ? RARE_FROM : RARE_FROM_WITH_CLOCK;
  return {
    devnet: { seed, clock: clock ?? 'simulated', plans: plansFrom(seed, rareFrom) },
    workload: { rareFrom, timeAt: clock?.timeAt },
  } as const;
}

/** What the chain does by itself, beside the rare scenarios from the same height on. */
export function plansFrom(seed: number, rareFrom = RARE_FROM) {
  return (parameters: ChainParameters): readonly Plan[] =>
    treasuryPlans(String(seed), parameters, rareFrom + PLANS_AFTER);
}

export interface DevnetWorkloadOptions extends Pick<WorkloadOptions, 'rareFrom'> {
  /** The time of each block, where the clock is known in advance. */
  readonly timeAt?: ((height: number) => bigint) | undefined;
}

export function openWorkload(
  devnet: Devnet,
  seed: string,
  { timeAt, rareFrom }: DevnetWorkloadOptions = {},
): DevnetWorkload {
  const { app, parameters } = devnet;
  const view = (): ChainView => {
    const { height, timeNs } = app.head();
    const timeAfter = timeAt === undefined ? undefined : (blocks: number) => timeAt(height + blocks);
    return { reader: app.state, height, timeNs, timeAfter };
  };
  const workload = createWorkload({
    seed,
    parameters,
    encoder: app.codec,
    contracts: genesisContracts(parameters),
    view: view(),
    rareFrom,
  });
  return {
    workload,
    view,
    async makeBlock({ txsPerBlock, timeNs }) {
      const txs = workload.plan(view(), txsPerBlock);
      const block = await devnet.produceBlock({ txs, ...(timeNs === undefined ? {} : { timeNs }) });
      workload.observe(block, view());
      return block;
    },
  };
}
