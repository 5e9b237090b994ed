import type { RpcNode } from 'strata-kit/rpc/node';
import { paramsOfBody } from 'strata-kit/rpc/params';
import type { StepClock } from '../comet/step-clock.ts';
import { type Devnet, openDevnet } from '../devnet.ts';
import { openNode } from '../rpc/node.ts';
import { printBlock, printBlockResults, printParamUpdates } from '../rpc/print-block.ts';
import { NOBODY } from '../simulation/simulations.ts';
import { openWorkload, workloadChain } from '../workload/devnet-workload.ts';

/**
 * A chain's history without a node: blocks of the workload, printed as a node would answer them. One seed gives one
 * history, byte for byte, on every machine. What is kept beside the state is the last block.
 */
export interface Corpus {
  readonly chainId: string;
  /** The next height's. */
  nextBlock(): Promise<CorpusBlock>;
  /** The `result` text of a call of CometBFT's JSON-RPC; abci_query is asked at the genesis, whose facts never change. */
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<string>;
  /** What did not go as the workload meant it: nothing on a sound chain. */
  surprises(): readonly string[];
  close(): Promise<void>;
}

export interface CorpusBlock {
  readonly height: number;
  /** The `result` texts of /block and /block_results. */
  readonly block: string;
  readonly results: string;
}

export interface CorpusOptions {
  readonly seed: number;
  readonly txsPerBlock: number;
  /** 5 s a block from 2026-01-01 unless given. */
  readonly clock?: StepClock | undefined;
}

export async function openCorpus({ seed, txsPerBlock, clock }: CorpusOptions): Promise<Corpus> {
  const chain = workloadChain(seed, clock);
  const devnet = await openDevnet({ ...chain.devnet, keep: 1, keepsStates: false });
  const { makeBlock, workload } = openWorkload(devnet, String(seed), chain.workload);
  const node = nodeOf(devnet);
  const paramUpdates = printParamUpdates(devnet.chain.genesis);
  let asked: Promise<RpcNode> | undefined;

  return {
    chainId: devnet.parameters.chainId,
    async nextBlock() {
      const block = await makeBlock({ txsPerBlock });
      return {
        height: block.header.height,
        block: printBlock(block),
        results: printBlockResults(block, paramUpdates),
      };
    },
    async call(name, params) {
      // the chain that makes blocks keeps no states to be asked
      asked ??= openDevnet({ ...chain.devnet, keep: 1 }).then(nodeOf);
      const { chain: of, methods } = name === 'abci_query' ? await asked : node;
      const method = methods.get(name);
      if (method === undefined) throw new TypeError(`no method ${name}`);
      const result = await method.answer(of, paramsOfBody(params, method.params), NOBODY);
      return typeof result === 'string' ? result : Buffer.from(result).toString('utf8');
    },
    surprises: workload.surprises,
    async close() {
      node.close();
      (await asked)?.close();
      await devnet.stop();
    },
  };
}

function nodeOf({ chain }: Devnet): RpcNode {
  return openNode({
    chain,
    listenAddress: 'tcp://127.0.0.1:26657',
    onError: (error) => {
      throw error;
    },
  });
}
