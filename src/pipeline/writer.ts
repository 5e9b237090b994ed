import { setTimeout as sleep } from 'node:timers/promises';
import { StrataError } from 'strata-kit/errors';
import { noStep, type Step } from '../core/steps.ts';
import { BAD_BLOCKS, DECODED_TABLES } from '../core/tables.ts';
import type { DecodedRange } from '../decode/range.ts';
import { type ChainPosition, followHeaders } from '../derive/header-chain.ts';
import { type BadBlockList, listBadBlocks, NO_BAD_BLOCKS } from '../store/bad-blocks.ts';
import { type Checkpoint, checkpointsFrom } from '../store/checkpoints.ts';
import { keepCursorKey } from '../store/cursor-keys.ts';
import { alignDurability } from '../store/durability.ts';
import { dropOtherGenerations } from '../store/generations.ts';
import { createMergePolicy } from '../store/merge-policy.ts';
import { migrate } from '../store/migrations.ts';
import { prepareModuleTables } from '../store/module-tables.ts';
import { type Recovery, recoverStore } from '../store/recovery.ts';
import type { Store } from '../store/store.ts';
import { waitForWriters } from '../store/writers.ts';
import { type Batch, type Batches, createBatches } from './batches.ts';
import { type CommitBase, createCommitStage } from './commit-stage.ts';
import { type DeriveOptions, NO_MODULES, tablesOf } from './derive-options.ts';
import { createDeriveStage, type ModulesState } from './derive-stage.ts';
import type { CommitReport, WriterSetup } from './messages.ts';
import type { RederiveReport } from './rederive.ts';
import { clearSpool } from './spool.ts';

/** The one ordered writer: ranges in, commits out. It owns a Store, but no engine: see workers/writer.ts. */
export interface Writer {
  /**
   * Waits for what a killed process has left at work, migrates, and repairs what a killed process or a power failure left (recoverStore).
   * Errors: store_in_use, store_newer_schema, store_damaged, store_query_failed.
   */
  open(): Promise<Recovery & { readonly badBlocks: BadBlockList; readonly rederived?: RederiveReport }>;
  modules(): ModulesState;
  /**
   * Takes the next range; it is committed with others when a limit is reached, at once when `flush` is set. A commit ends
   * before a bad block, so that the store can be taken back to the block before it (strata repair).
   * Errors: parent_mismatch, derive_failed. A commit that fails, as on a full disk, is reported once. After either every
   * later call throws it.
   */
  accept(range: DecodedRange, chainHeight: number, flush: boolean): void;
  /** Commits what has been taken, without waiting for a limit. */
  flush(): void;
  /**
   * Derives modules again from stored facts, all or the one named, and goes on from the new generation. Ranges that come
   * meanwhile wait: what is in flight is bounded by who sends them. Resolves when what was replaced is gone.
   * Errors: those of DeriveStage.rederive; the store and this writer are as they were. One at a time.
   */
  rederive(module?: string): Promise<RederiveReport>;
  /** Ends a re-derivation that is under way, with the error aborted. */
  stopRederiving(): void;
  /** Commits what is left. */
  finish(): Promise<void>;
}

/** Hears of derivations from stored facts. */
export interface RederivingWatch {
  readonly onProgress?: (report: RederiveReport) => void;
  /** Rows of a new generation count from now on. */
  readonly onSwitched?: () => void;
}

interface HeldRange {
  readonly range: DecodedRange;
  readonly chainHeight: number;
  readonly flush: boolean;
}

/** By then every process that answers from this store sees the new generation, and asks again what it was at. */
const DROP_AFTER_MS = 2_000;

export function createWriter(
  store: Store,
  setup: WriterSetup,
  onCommit: (commit: CommitReport) => void,
  onFailure: (error: unknown) => void,
  step: Step = noStep,
  derive: DeriveOptions = NO_MODULES,
  watch: RederivingWatch = {},
): Writer {
  const deriveStage = createDeriveStage(store, derive);
  const commitStage = createCommitStage({
    store,
    isAlone: setup.isAlone === true,
    tables: [...DECODED_TABLES, BAD_BLOCKS, ...deriveStage.tables],
    derivations: derive.derivations,
    deriveStage,
    step,
  });
  const batches: Batches = createBatches(setup.spoolFolder, setup.limits);
  const mergePolicy = createMergePolicy(store);
  let base: CommitBase = { checkpoint: undefined, checkpointRows: 0 };
  /** Ranges that wait for a re-derivation; undefined while there is none. */
  let held: HeldRange[] | undefined;
  let rederiving: Promise<unknown> | undefined;
  let stopping = new AbortController();
  /** The block that the next range has to follow. */
  let tip: ChainPosition | undefined;
  let chainHeight = 0;
  let failure: unknown;
  let committing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** While a commit runs, the next batch grows: what the engine cannot keep up with becomes larger commits. */
  const commitIfDue = (): void => {
    if (committing !== undefined || failure !== undefined) return;
    clearTimeout(timer);
    const due = batches.takeDue();
    if (due !== undefined) {
      start(due);
      return;
    }
    const waitMs = batches.dueInMs();
    timer = waitMs === undefined ? undefined : setTimeout(commitIfDue, Math.max(1, waitMs));
  };

  const start = (batch: Batch): void => {
    committing = commit(batch)
      .catch((error: unknown) => {
        failure = error;
        onFailure(error);
      })
      .finally(() => {
        committing = undefined;
        commitIfDue();
      });
  };

  const commit = async (batch: Batch): Promise<void> => {
    const startedMs = Date.now();
    const next = await commitStage.commit(base, batch, chainHeight);
    base = { checkpoint: next, checkpointRows: 1 };
    await mergePolicy.follow(next.chainHeight - next.height);
    step('commit:done');
    onCommit(reportOf(next, batch, startedMs));
  };

  /** Errors: derive_failed, from then on at every call. */
  const take = (range: DecodedRange, newChainHeight: number, flush: boolean): void => {
    tip = followHeaders(tip, range.headers);
    chainHeight = Math.max(chainHeight, newChainHeight);
    try {
      batches.add(range, deriveStage.derive(range));
    } catch (error) {
      failure = error;
      throw error;
    }
    if (flush) batches.flush();
    commitIfDue();
  };

  const tools = () => ({
    spoolFolder: setup.spoolFolder,
    step,
    signal: stopping.signal,
    ...(watch.onProgress === undefined ? {} : { onProgress: watch.onProgress }),
  });

  /** All that was taken is committed, so that the checkpoint is all that there is. */
  const settle = async (): Promise<void> => {
    while (failure === undefined && (!batches.isEmpty() || committing !== undefined)) {
      batches.flush();
      commitIfDue();
      await committing;
    }
    if (failure !== undefined) throw failure;
  };

  const rederive = async (module: string | undefined): Promise<RederiveReport> => {
    held = [];
    stopping = new AbortController();
    let replaced: Checkpoint;
    let report: RederiveReport;
    try {
      await settle();
      const { checkpoint } = base;
      if (checkpoint === undefined) throw new StrataError('store_empty', 'The store holds no chain yet');
      const made = await deriveStage.rederive(checkpoint, module, tools());
      const { checkpoint: next = checkpoint, rederived } = made;
      if (rederived === undefined) throw new StrataError('internal', 'nothing was derived again');
      base = { checkpoint: next, checkpointRows: base.checkpointRows + 1 };
      replaced = next;
      report = rederived;
      watch.onSwitched?.();
    } finally {
      const waiting: readonly HeldRange[] = held;
      held = undefined;
      takeAll(waiting);
    }
    await sleep(setup.dropAfterMs ?? DROP_AFTER_MS);
    await dropOtherGenerations(store, replaced, step);
    step('reindex:dropped');
    return report;
  };

  const takeAll = (waiting: readonly HeldRange[]): void => {
    try {
      for (const { range, chainHeight: height, flush } of waiting) {
        if (failure !== undefined) return;
        take(range, height, flush);
      }
    } catch (error) {
      failure ??= error;
      onFailure(error);
    }
  };

  return {
    async open() {
      clearSpool(setup.spoolFolder);
      step('start:spool-cleared');
      await waitForWriters(store);
      await migrate(store, undefined, step);
      await keepCursorKey(store, setup.spoolFolder);
      await prepareModuleTables(store, derive.tables ?? tablesOf(derive.derivations));
      await alignDurability(store, setup.isDurable === true);
      const recovery = await recoverStore(store, step);
      const opened = await deriveStage.open(recovery.checkpoint, tools());
      const { checkpoint } = opened;
      if (checkpoint !== undefined) {
        // recovery has dropped what the checkpoint that it found does not name
        if (checkpoint !== recovery.checkpoint) await dropOtherGenerations(store, checkpoint, step);
        if (opened.rederived !== undefined) step('reindex:dropped');
        base = { checkpoint, checkpointRows: (await checkpointsFrom(store, checkpoint.height)).count };
      }
      step('start:done');
      tip = checkpoint === undefined ? undefined : { height: checkpoint.height, hash: checkpoint.blockHash };
      const badBlocks =
        checkpoint === undefined ? NO_BAD_BLOCKS : await listBadBlocks(store, checkpoint.height);
      return { ...recovery, checkpoint, badBlocks, ...(opened.rederived && { rederived: opened.rederived }) };
    },
    modules: () => deriveStage.state(),
    accept(range, newChainHeight, flush) {
      if (failure !== undefined) throw failure;
      if (held === undefined) take(range, newChainHeight, flush);
      else held.push({ range, chainHeight: newChainHeight, flush });
    },
    rederive(module) {
      if (rederiving !== undefined) {
        return Promise.reject(new StrataError('store_busy', 'modules are being derived again already'));
      }
      const running = rederive(module);
      rederiving = running
        .catch(() => undefined)
        .finally(() => {
          rederiving = undefined;
        });
      return running;
    },
    stopRederiving: () => stopping.abort(),
    flush() {
      batches.flush();
      commitIfDue();
    },
    async finish() {
      await rederiving;
      await settle().finally(() => clearTimeout(timer));
      if (base.checkpoint !== undefined) await mergePolicy.follow(0);
    },
  };
}

function reportOf(next: Checkpoint, batch: Batch, startedMs: number): CommitReport {
  return {
    height: next.height,
    firstHeight: next.firstHeight,
    blockHash: next.blockHash,
    blockTimeNs: next.blockTimeNs,
    chainHeight: next.chainHeight,
    blocks: batch.blocks,
    events: batch.events,
    txs: batch.txs,
    badBlocks: batch.badBlocks,
    checkpoint: {
      generations: next.generations,
      driftRows: next.rows.get('drift') ?? 0,
      badBlockRows: next.rows.get('bad_blocks') ?? 0,
    },
    rawBytes: batch.rawBytes,
    nativeBytes: batch.nativeBytes,
    gatherMs: startedMs - batch.startedMs,
    durationMs: Date.now() - startedMs,
  };
}
