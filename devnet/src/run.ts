import type { Devnet } from './devnet.ts';
import { startEthereumRpc } from './evm-rpc/server.ts';
import { withFaults } from './faults/faults.ts';
import { type Lie, onLies } from './faults/lies.ts';
import type { Fault } from './faults/names.ts';
import { startRpc } from './rpc/server.ts';
import { openWorkload } from './workload/devnet-workload.ts';

/** A devnet that answers and works: its servers and its workload. */
export interface RunningDevnet {
  readonly rpcUrl: string;
  readonly evmUrl: string;
  /** Fails when the chain stands still; ends with `close`. */
  readonly ended: Promise<void>;
  /** Ends the servers, then the chain. */
  close(): Promise<void>;
}

export interface Listen {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

export interface RunOptions {
  readonly devnet: Devnet;
  readonly rpcListen: Listen;
  readonly evmListen: Listen;
  /** Names in a Host header that both servers answer besides loopback names and their own addresses. */
  readonly allowedHosts: readonly string[];
  /** What its readers are told wrong. */
  readonly faults?: readonly Fault[];
  /** Told of each wrong value of an event, as its block is made. */
  readonly onLie?: (lie: Lie) => void;
  /** The seed of a workload; undefined for none. */
  readonly workloadSeed?: string | undefined;
  /** What went wrong outside any answer. */
  readonly onError: (error: unknown) => void;
}

/** Txs that the workload sends for a block. */
const WORKLOAD_TXS = 10;

/** Errors: those of listening. The devnet stays the caller's until this has resolved. */
export async function runDevnet(options: RunOptions): Promise<RunningDevnet> {
  const { devnet, onError, allowedHosts, faults = [], workloadSeed } = options;
  const { signer } = devnet;
  const tools = { signer, codec: devnet.app.codec };
  const chain = withFaults(devnet.chain, faults, tools);
  if (options.onLie !== undefined) onLies(devnet.chain, faults, tools, options.onLie);
  const rpc = await startRpc({ chain, ...options.rpcListen, allowedHosts, onError });
  const { codec, parameters } = devnet.app;
  const source = { chain, codec, parameters, readerAt: devnet.readerAt, simulations: devnet.simulations };
  const evm = await startEthereumRpc({ source, ...options.evmListen, allowedHosts, onError }).catch(
    async (error) => {
      await rpc.close();
      throw error;
    },
  );
  devnet.start(workloadSeed === undefined ? undefined : working(devnet, workloadSeed));
  return {
    rpcUrl: rpc.url,
    evmUrl: evm.url,
    ended: devnet.ended,
    async close() {
      await Promise.all([rpc.close(), evm.close()]);
      await devnet.stop();
    },
  };
}

/**
 * The workload's txs for the next block, and what became of those of the last one. They do not go through the mempool:
 * some are meant to fail in their ante, and stand in blocks all the same.
 */
function working(devnet: Devnet, seed: string): () => readonly Uint8Array[] {
  const { workload, view } = openWorkload(devnet, seed);
  devnet.chain.onBlock((block) => workload.observe(block, view()));
  return () => workload.plan(view(), WORKLOAD_TXS);
}
