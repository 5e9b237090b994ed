import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { ChainError } from 'strata-kit/chain-error';
import type { Caller } from 'strata-kit/http/caller';
import type { ChainParameters } from '../app/parameters.ts';
import { EthereumError } from '../evm-rpc/errors.ts';
import type { Texts } from '../state/texts.ts';
import {
  MAX_QUESTIONS,
  MAX_WAITING,
  MAX_WAITING_OF_ONE,
  RESTART_MS,
  RUN_MS,
  START_MS,
  WAIT_MS,
} from './limits.ts';
import { type Serving, serveReads, sharedFlags } from './reads.ts';
import { SimulationStop } from './stop.ts';
import type {
  EthereumSimulation,
  QueryWalk,
  Simulation,
  SimulationInput,
  SimulationReply,
  TxSimulation,
} from './tasks.ts';
import { createTurns } from './turns.ts';
import { simulationEntry } from './worker-entry.ts';

export { NOBODY } from './turns.ts';

/**
 * Executes what leaves nothing, outside of the thread that makes blocks. Errors: SimulationStop where there is no result,
 * ChainError and EthereumError as the execution fails.
 */
export interface Simulations {
  /** The encoded answer of a simulation. */
  simulateTx(simulation: TxSimulation, height: number, caller: Caller): Promise<Uint8Array>;
  /** What the call returns. */
  ethereumCall(simulation: EthereumSimulation, height: number, caller: Caller): Promise<Uint8Array>;
  estimateGas(simulation: EthereumSimulation, height: number, caller: Caller): Promise<bigint>;
  /** The encoded response. */
  query(walk: QueryWalk, height: number, caller: Caller): Promise<Uint8Array>;
  /** Ends the threads; what waits is cancelled. */
  close(): Promise<void>;
}

export interface SimulationsOptions {
  readonly parameters: ChainParameters;
  /** Undefined for a height that is not kept any more. */
  readonly textsAt: (height: number) => Texts | undefined;
  /** Hears of defects. */
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<SimulationLimits>;
  /** The file that a thread loads; by default the built one. */
  readonly entry?: string;
  /** Milliseconds that never go back; by default the process's. */
  readonly nowMs?: () => number;
}

export interface SimulationLimits {
  readonly threads: number;
  readonly runMs: number;
  readonly startMs: number;
  readonly waitMs: number;
  readonly maxWaiting: number;
  readonly maxWaitingOfOne: number;
  readonly maxQuestions: number;
}

/** A core is the block maker's. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** A thread costs a second to start and about 100 MB: it stays for the next call, and not for ever. */
const IDLE_MS = 60_000;
const HEAP_MB = 512;

/** Threads start with the first simulation. */
export function createSimulations(options: SimulationsOptions): Simulations {
  const { parameters, textsAt, onError, nowMs = () => performance.now() } = options;
  const limits: SimulationLimits = {
    threads: THREADS,
    runMs: RUN_MS,
    startMs: START_MS,
    waitMs: WAIT_MS,
    maxWaiting: MAX_WAITING,
    maxWaitingOfOne: MAX_WAITING_OF_ONE,
    maxQuestions: MAX_QUESTIONS,
    ...options.limits,
  };
  let pool: Piscina | undefined;
  let closed = false;
  /** No thread is started before. */
  let retryAtMs = 0;
  let dropped: Promise<unknown> = Promise.resolve();

  /** A pool whose thread did not start: it goes with what it runs, and a later call makes another. */
  function drop(failed: Piscina, cause: unknown): void {
    if (pool !== failed) return;
    pool = undefined;
    retryAtMs = nowMs() + RESTART_MS;
    if (!closed) onError(cause);
    dropped = Promise.all([dropped, failed.destroy()]);
  }

  function threads(): Piscina {
    if (pool !== undefined) return pool;
    const made = new Piscina({
      filename: options.entry ?? simulationEntry(),
      name: 'simulate',
      minThreads: 0,
      maxThreads: limits.threads,
      idleTimeout: IDLE_MS,
      concurrentTasksPerWorker: 1,
      workerData: parameters,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // piscina emits what fails while no task has a thread; without a listener it would end the process
    made.on('error', (error) => drop(made, error));
    pool = made;
    return made;
  }

  /** Errors: SimulationStop timeout, no_thread and failed. Ends when the thread is free again, whoever still waits for it. */
  async function execute(
    simulation: Simulation,
    height: number,
    { onServing }: { readonly onServing: (serving: Serving) => void },
  ): Promise<SimulationReply> {
    if (nowMs() < retryAtMs) throw new SimulationStop('no_thread');
    const used = threads();
    const { port1, port2 } = new MessageChannel();
    const shared = sharedFlags();
    const deadline = new AbortController();
    let timer = setTimeout(() => {
      deadline.abort();
      drop(used, new Error(`no simulation began within ${limits.startMs} ms`));
    }, limits.startMs);
    const serving = serveReads(port1, shared, {
      texts: () => textsAt(height),
      maxQuestions: limits.maxQuestions,
      onStart: () => {
        clearTimeout(timer);
        timer = setTimeout(() => deadline.abort(), limits.runMs);
      },
    });
    onServing(serving);
    const input: SimulationInput = { simulation, height, port: port2, shared };
    try {
      // the signal ends the thread; the pool starts another
      const settings = { name: 'simulate', transferList: [port2], signal: deadline.signal };
      return (await used.run(input, settings)) as SimulationReply;
    } catch (cause) {
      if (!closed && pool !== used) throw new SimulationStop('no_thread', { cause });
      if (deadline.signal.aborted) throw new SimulationStop('timeout');
      if (!closed) onError(cause);
      throw new SimulationStop(closed ? 'cancelled' : 'failed', { cause });
    } finally {
      clearTimeout(timer);
      serving.close();
    }
  }

  const turns = createTurns<{ simulation: Simulation; height: number }, SimulationReply>({
    ...limits,
    places: limits.threads,
    start: ({ simulation, height }) => {
      let serving: Serving | undefined;
      const result = execute(simulation, height, {
        onServing: (one) => {
          serving = one;
        },
      });
      return { result, cancel: () => serving?.cancel() };
    },
  });

  async function run(simulation: Simulation, height: number, caller: Caller): Promise<SimulationReply> {
    if (closed) throw new SimulationStop('cancelled');
    const reply = await turns.run({ simulation, height }, caller);
    switch (reply.kind) {
      case 'chain-error':
        throw new ChainError(reply.codespace, reply.code, reply.message);
      case 'ethereum-error':
        throw new EthereumError(reply.code, reply.message, reply.data);
      case 'stopped':
        throw new SimulationStop(reply.reason);
      case 'defect':
        onError(reply.error);
        throw new SimulationStop('failed', { cause: reply.error });
      default:
        return reply;
    }
  }

  const bytes = async (simulation: Simulation, height: number, caller: Caller): Promise<Uint8Array> => {
    const reply = await run(simulation, height, caller);
    return reply.kind === 'bytes' ? reply.bytes : new Uint8Array(0);
  };
  return {
    simulateTx: bytes,
    ethereumCall: bytes,
    query: bytes,
    async estimateGas(simulation, height, caller) {
      const reply = await run(simulation, height, caller);
      return reply.kind === 'gas' ? reply.gas : 0n;
    },
    async close() {
      closed = true;
      turns.close();
      await Promise.all([dropped, pool?.destroy()]);
    },
  };
}
