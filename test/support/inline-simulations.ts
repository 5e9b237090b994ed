import type { SimulatedChain } from 'strata-devnet/devnet';
import { EthereumError } from 'strata-devnet/evm-rpc/errors';
import type { Simulations } from 'strata-devnet/simulation/simulations';
import { createExecutor, type Executor } from 'strata-devnet/simulation/simulator';
import { SimulationStop } from 'strata-devnet/simulation/stop';
import type { Simulation, SimulationReply } from 'strata-devnet/simulation/tasks';
import { ChainError } from 'strata-kit/chain-error';

/**
 * Simulations in the test's own thread. A thread costs a second of CPU for each chain, which is most of what a small chain
 * costs. The tests in devnet/test are about the threads and use them.
 */
export function inlineSimulations({ parameters, readerAt }: SimulatedChain): Simulations {
  let executor: Executor | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function execute(simulation: Simulation, height: number): Promise<SimulationReply> {
    if (isClosed) throw new SimulationStop('cancelled');
    executor ??= createExecutor(parameters);
    try {
      return await executor(simulation, height, readerAt(height));
    } catch (cause) {
      if (cause instanceof ChainError || cause instanceof EthereumError) throw cause;
      throw new SimulationStop('failed', { cause });
    }
  }

  /** One after the other, as in a thread. */
  function run(simulation: Simulation, height: number): Promise<SimulationReply> {
    const result = last.then(() => execute(simulation, height));
    last = result.catch(() => undefined);
    return result;
  }

  const bytes = async (simulation: Simulation, height: number): Promise<Uint8Array> => {
    const reply = await run(simulation, height);
    if (reply.kind !== 'bytes') throw new Error(`a simulation answered ${reply.kind}`);
    return reply.bytes;
  };
  return {
    simulateTx: bytes,
    ethereumCall: bytes,
    query: bytes,
    async estimateGas(simulation, height) {
      const reply = await run(simulation, height);
      if (reply.kind !== 'gas') throw new Error(`an estimate answered ${reply.kind}`);
      return reply.gas;
    },
    async close() {
      isClosed = true;
      await last;
    },
  };
}
