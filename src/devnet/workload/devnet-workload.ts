import type { Block } from '../comet/types.ts';
import type { Devnet } from '../devnet.ts';
import { genesisContracts } from '../modules/evm/genesis.ts';
import type { ChainView } from './stage.ts';
import { createWorkload, type Workload } from './workload.ts';

/** The workload on a devnet. */
export interface DevnetWorkload {
  readonly workload: Workload;
  /** The chain as it is now. */
  view(): ChainView;
  /** The workload's next block, at the clock's time or at this one; what became of its txs is told to the workload. */
  makeBlock(given: { readonly txsPerBlock: number; readonly timeNs?: bigint }): Promise<Block>;
}

export function openWorkload(devnet: Devnet, seed: string): DevnetWorkload {
  const { app, parameters } = devnet;
  const view = (): ChainView => {
    const { height, timeNs } = app.head();
    return { reader: app.state, height, timeNs };
  };
  const workload = createWorkload({
    seed,
    parameters,
    encoder: app.codec,
    contracts: genesisContracts(parameters),
    view: view(),
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
