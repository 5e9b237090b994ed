import { LRUCache } from 'lru-cache';
import type { AbciEvent } from 'strata-kit/abci-event';
import type { Codec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import { txHash } from '../comet/hashes.ts';
import type { CheckResult, TxResult } from '../comet/types.ts';
import { createOverlay } from '../state/overlay.ts';
import type { Change, CommittableState, Reader } from '../state/state.ts';
import { createEventLog, withAttribute } from './events.ts';
import { createExecutor, type Execution, type Moment } from './execute.ts';
import { failureOf } from './failure.ts';
import { createGasMeter } from './gas.ts';
import type { Context, Module } from './module.ts';
import type { ChainParameters } from './parameters.ts';
import { createPlanRunner, type Phase, type Plan } from './plans.ts';
import { createQueue } from './queue.ts';
import { createRouter, type Router } from './router.ts';
import { decodeTx, requireTxSize, type Tx } from './tx.ts';

/** The state machine: txs against the state, one after another. */
export interface App {
  readonly state: CommittableState;
  readonly parameters: ChainParameters;
  readonly codec: Codec;
  readonly router: Router;
  readonly modules: readonly Module[];
  readonly maxTxBytes: number;
  /** What nobody foresaw, at most some hundred: empty on a sound chain. */
  readonly unforeseen: readonly unknown[];
  /** Runs when nothing else does: for whoever writes to the state and takes it back, such as a call of the EVM. */
  exclusive<T>(task: () => T | Promise<T>): Promise<T>;
  initGenesis(appState: JsonObject, timeNs: bigint): Promise<readonly Change[]>;
  /** For the mempool: the ante alone, over what the checks before it have left. */
  checkTx(bytes: Uint8Array, mode?: 'check' | 'recheck'): Promise<CheckResult>;
  finalizeBlock(block: ProposedBlock): Promise<FinalizedBlock>;
  /** Executes a block over the state; `commit` puts it away before anything else looks at the state. */
  finalizeBlock<T>(block: ProposedBlock, commit: (finalized: FinalizedBlock) => T): Promise<T>;
  /** What does not hold. */
  invariants(reader?: Reader): string[];
  /** Where checks and simulations begin: after each block, and at start. */
  setHead(moment: Moment): void;
  head(): Moment;
}

export interface ProposedBlock extends Moment {
  readonly txs: readonly Uint8Array[];
}

export interface FinalizedBlock {
  readonly results: readonly TxResult[];
  /** With `mode`. */
  readonly events: readonly AbciEvent[];
  readonly changes: readonly Change[];
}

export interface AppOptions {
  readonly parameters: ChainParameters;
  readonly codec: Codec;
  /** In the order of their hooks. */
  readonly modules: readonly Module[];
  readonly state: CommittableState;
  /** False for a workload of one's own, whose signatures are known to be good. */
  readonly verifies?: boolean;
  readonly maxGas: bigint;
  /** Of a tx, in bytes. */
  readonly maxTxBytes: number;
  readonly plans?: readonly Plan[];
  /** A tx failed by a defect of the chain. */
  readonly onUnforeseen?: ((error: unknown) => void) | undefined;
}

/** Txs that passed the mempool's check, kept as they were decoded until their block. */
const DECODED_TXS = 5_000;
/** What they hold together, roughly. */
const DECODED_BYTES = 64_000_000;
const UNFORESEEN_KEPT = 100;

export function createApp(options: AppOptions): App {
  const { parameters, codec, modules, state, maxTxBytes } = options;
  const router = createRouter(modules, parameters.namespace);
  const unforeseen: unknown[] = [];
  const onUnforeseen = (error: unknown) => {
    if (unforeseen.length < UNFORESEEN_KEPT) unforeseen.push(error);
    options.onUnforeseen?.(error);
  };
  const executor = createExecutor({
    codec,
    parameters,
    router,
    verifies: options.verifies ?? true,
    maxGas: options.maxGas,
    onUnforeseen,
  });
  const plans = createPlanRunner({ codec, parameters, router, plans: options.plans ?? [], onUnforeseen });
  const queue = createQueue();
  const checkState = createOverlay(state);
  const decoded = new LRUCache<string, Tx>({
    max: DECODED_TXS,
    maxSize: DECODED_BYTES,
    sizeCalculation: weightOf,
  });
  let head: Moment = { height: 0, timeNs: 0n, blockHash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const next = (): Moment => ({ ...head, height: head.height + 1 });

  function read(bytes: Uint8Array): Tx {
    requireTxSize(bytes, maxTxBytes);
    return decoded.get(txHash(bytes)) ?? decodeTx(codec, parameters, bytes);
  }

  function unread(error: unknown): Execution {
    const failure = failureOf(error, onUnforeseen);
    return { ...failure, data: new Uint8Array(0), gasWanted: 0n, gasUsed: 0n, events: [], responses: [] };
  }

  /** Plans before what the modules do by themselves. */
  async function runPhase(phase: Phase, moment: Moment, into: AbciEvent[]) {
    const log = createEventLog(codec, parameters.namespace);
    const context = blockContext(moment, log);
    await plans.run(phase, moment, state, log);
    for (const module of modules) {
      const done =
        phase === 'BeginBlock'
          ? module.beginBlock?.(context)
          : phase === 'EndBlock'
            ? module.endBlock?.(context)
            : undefined;
      if (done instanceof Promise) await done;
    }
    into.push(...(phase === 'PreBlock' ? log.events : withAttribute(log.events, 'mode', phase)));
  }

  function blockContext(moment: Moment, log: Pick<Context, 'emit' | 'emitPlain'>): Context {
    return {
      ...moment,
      state,
      parameters,
      gas: createGasMeter(),
      emit: log.emit,
      emitPlain: log.emitPlain,
    };
  }

  return {
    state,
    parameters,
    codec,
    router,
    modules,
    maxTxBytes,
    unforeseen,
    exclusive: queue.run,
    initGenesis: (appState, timeNs) =>
      queue.run(async () => {
        const log = createEventLog(codec, parameters.namespace);
        const context = blockContext({ ...head, timeNs }, log);
        for (const module of modules) {
          const done = module.initGenesis?.(context, (appState[module.name] ?? {}) as JsonObject);
          if (done instanceof Promise) await done;
        }
        return state.takeChanges();
      }),
    checkTx: (bytes, mode = 'check') =>
      queue.run(async () => {
        const hash = txHash(bytes);
        let execution: Execution;
        try {
          const tx = read(bytes);
          execution = await executor.execute(tx, mode, checkState, next(), 0);
          // what is refused costs nothing, so it may take no memory
          if (execution.code === 0) decoded.set(hash, tx);
        } catch (error) {
          execution = unread(error);
        }
        const { code, codespace, log, gasWanted, gasUsed, freeWorkNs = 0, known } = execution;
        return { hash, code, codespace, log, gasWanted, gasUsed, freeWorkNs, known };
      }),
    finalizeBlock: <T>(block: ProposedBlock, commit?: (finalized: FinalizedBlock) => T) =>
      queue.run(async () => {
        const { txs, ...moment } = block;
        const events: AbciEvent[] = [];
        const results: TxResult[] = [];
        await runPhase('PreBlock', moment, events);
        await runPhase('BeginBlock', moment, events);
        for (const [txIndex, bytes] of txs.entries()) {
          let tx: Tx;
          try {
            tx = read(bytes);
          } catch (error) {
            results.push(unread(error));
            continue;
          }
          const { responses: _, ...result } = await executor.execute(tx, 'deliver', state, moment, txIndex);
          results.push(result);
        }
        await runPhase('EndBlock', moment, events);
        const finalized = { results, events, changes: state.takeChanges() };
        return commit === undefined ? finalized : commit(finalized);
      }),
    invariants: (reader = state) =>
      modules.flatMap(
        (module) => module.invariants?.(reader, parameters).map((text) => `${module.name}: ${text}`) ?? [],
      ),
    setHead(moment) {
      head = moment;
      checkState.clear();
    },
    head: () => head,
  };
}

/** Bytes that a decoded tx takes in memory, roughly: its own, the texts of its fields, and an object for some of them. */
function weightOf({ bytes, fieldCount }: Tx): number {
  return 1_000 + 3 * bytes.length + 150 * fieldCount;
}
