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
import { createMergePolicy, type MergePolicy } from '../store/merge-policy.ts';
import { migrate } from '../store/migrations.ts';
import { prepareModuleTables } from '../store/module-tables.ts';
import { type Recovery, recoverStore } from '../store/recovery.ts';
import type { Store } from '../store/store.ts';
import { waitForWriters } from '../store/writers.ts';
import { type Batch, type Batches, createBatches } from './batches.ts';
import { type CommitBase, type CommitStage, createCommitStage } from './commit-stage.ts';
import { type DeriveOptions, NO_MODULES, tablesOf } from './derive-options.ts';
import {
  createDeriveStage,
  type DeriveStage,
  type ModulesState,
  type RederiveTools,
} from './derive-stage.ts';
import type { CommitReport, WriterSetup } from './messages.ts';
import type { RederiveReport } from './rederive.ts';
import { clearSpool } from './spool.ts';

/** The one ordered writer: ranges in, commits out. It owns a Store, but no engine: see workers/writer.ts. */
export interface Writer {
  /**
   * Waits for what a killed process has left at work, migrates, and repairs what a killed process or a power failure left (recoverStore).
   * Errors: store_in_use, store_newer_schema, store_damaged, store_query_failed.
   */
  open(): Promise<OpenedWriter>;
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

/** The store after repair, and what was derived from stored facts on the way. */
export interface OpenedWriter extends Recovery {
  readonly badBlocks: BadBlockList;
  readonly rederived?: RederiveReport;
}

/** Gets the progress of derivations from stored facts. */
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

export interface WriterOptions {
  readonly store: Store;
  readonly setup: WriterSetup;
  readonly onCommit: (commit: CommitReport) => void;
  /** A commit failed, or ranges that waited for a re-derivation could not be taken. Once. */
  readonly onFailure: (error: unknown) => void;
  readonly step?: Step;
  readonly derive?: DeriveOptions;
  readonly watch?: RederivingWatch;
}

export function createWriter(options: WriterOptions): Writer {
  return new OrderedWriter(options);
}

class OrderedWriter implements Writer {
  readonly #options: WriterOptions;
  readonly #store: Store;
  readonly #setup: WriterSetup;
  readonly #step: Step;
  readonly #watch: RederivingWatch;
  readonly #derive: DeriveOptions;
  readonly #deriveStage: DeriveStage;
  readonly #commitStage: CommitStage;
  readonly #batches: Batches;
  readonly #mergePolicy: MergePolicy;
  #base: CommitBase = { checkpoint: undefined, checkpointRows: 0 };
  /** Ranges that wait for a re-derivation; undefined while there is none. */
  #held: HeldRange[] | undefined;
  #rederiving: Promise<unknown> | undefined;
  #stopping = new AbortController();
  /** The block that the next range has to follow. */
  #tip: ChainPosition | undefined;
  #chainHeight = 0;
  #failure: unknown;
  #committing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WriterOptions) {
    const { store, setup, step = noStep, derive = NO_MODULES, watch = {} } = options;
    this.#options = options;
    this.#store = store;
    this.#setup = setup;
    this.#step = step;
    this.#watch = watch;
    this.#derive = derive;
    this.#deriveStage = createDeriveStage(store, derive);
    this.#commitStage = createCommitStage({
      store,
      isAlone: setup.isAlone === true,
      tables: [...DECODED_TABLES, BAD_BLOCKS, ...this.#deriveStage.tables],
      derivations: derive.derivations,
      deriveStage: this.#deriveStage,
      step,
    });
    this.#batches = createBatches(setup.spoolFolder, setup.limits);
    this.#mergePolicy = createMergePolicy(store);
  }

  async open(): Promise<OpenedWriter> {
    const recovery = await this.#prepareStore();
    const opened = await this.#deriveStage.open(recovery.checkpoint, this.#tools());
    const { checkpoint, rederived } = opened;
    if (checkpoint !== undefined) {
      // recovery has dropped what the checkpoint that it found does not name
      if (checkpoint !== recovery.checkpoint) await dropOtherGenerations(this.#store, checkpoint, this.#step);
      if (rederived !== undefined) this.#step('reindex:dropped');
      const { count } = await checkpointsFrom(this.#store, checkpoint.height);
      this.#base = { checkpoint, checkpointRows: count };
      this.#tip = { height: checkpoint.height, hash: checkpoint.blockHash };
    }
    this.#step('start:done');
    const badBlocks =
      checkpoint === undefined ? NO_BAD_BLOCKS : await listBadBlocks(this.#store, checkpoint.height);
    return { ...recovery, checkpoint, badBlocks, ...(rederived && { rederived }) };
  }

  modules(): ModulesState {
    return this.#deriveStage.state();
  }

  accept(range: DecodedRange, chainHeight: number, flush: boolean): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#held === undefined) this.#take({ range, chainHeight, flush });
    else this.#held.push({ range, chainHeight, flush });
  }

  rederive(module?: string): Promise<RederiveReport> {
    if (this.#rederiving !== undefined) {
      return Promise.reject(new StrataError('store_busy', 'modules are being derived again already'));
    }
    const running = this.#rederive(module);
    this.#rederiving = running
      .catch(() => undefined)
      .finally(() => {
        this.#rederiving = undefined;
      });
    return running;
  }

  stopRederiving(): void {
    this.#stopping.abort();
  }

  flush(): void {
    this.#batches.flush();
    this.#commitIfDue();
  }

  async finish(): Promise<void> {
    await this.#rederiving;
    await this.#settle().finally(() => clearTimeout(this.#timer));
    if (this.#base.checkpoint !== undefined) await this.#mergePolicy.follow(0);
  }

  /** Migrates and repairs the store. */
  async #prepareStore(): Promise<Recovery> {
    const store = this.#store;
    const { spoolFolder, isDurable } = this.#setup;
    const { tables, derivations } = this.#derive;
    clearSpool(spoolFolder);
    this.#step('start:spool-cleared');
    await waitForWriters(store);
    await migrate(store, undefined, this.#step);
    await keepCursorKey(store, spoolFolder);
    await prepareModuleTables(store, tables ?? tablesOf(derivations));
    await alignDurability(store, isDurable === true);
    return recoverStore(store, this.#step);
  }

  /** While a commit runs, the next batch grows: what the engine cannot keep up with becomes larger commits. */
  #commitIfDue(): void {
    if (this.#committing !== undefined || this.#failure !== undefined) return;
    clearTimeout(this.#timer);
    const due = this.#batches.takeDue();
    if (due !== undefined) {
      this.#startCommit(due);
      return;
    }
    const waitMs = this.#batches.dueInMs();
    this.#timer =
      waitMs === undefined ? undefined : setTimeout(() => this.#commitIfDue(), Math.max(1, waitMs));
  }

  #startCommit(batch: Batch): void {
    this.#committing = this.#commit(batch)
      .catch((error: unknown) => {
        this.#failure = error;
        this.#options.onFailure(error);
      })
      .finally(() => {
        this.#committing = undefined;
        this.#commitIfDue();
      });
  }

  async #commit(batch: Batch): Promise<void> {
    const startedMs = Date.now();
    const next = await this.#commitStage.commit(this.#base, batch, this.#chainHeight);
    this.#base = { checkpoint: next, checkpointRows: 1 };
    await this.#mergePolicy.follow(next.chainHeight - next.height);
    this.#step('commit:done');
    this.#options.onCommit(reportOf(next, batch, startedMs));
  }

  /** Errors: parent_mismatch; derive_failed, from then on at every call. */
  #take({ range, chainHeight, flush }: HeldRange): void {
    this.#tip = followHeaders(this.#tip, range.headers);
    this.#chainHeight = Math.max(this.#chainHeight, chainHeight);
    try {
      this.#batches.add(range, this.#deriveStage.derive(range));
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    if (flush) this.#batches.flush();
    this.#commitIfDue();
  }

  #takeHeld(): void {
    const waiting = this.#held ?? [];
    this.#held = undefined;
    try {
      for (const each of waiting) {
        if (this.#failure !== undefined) return;
        this.#take(each);
      }
    } catch (error) {
      this.#failure ??= error;
      this.#options.onFailure(error);
    }
  }

  /** All that was taken is committed, so that the checkpoint is all that there is. */
  async #settle(): Promise<void> {
    while (this.#failure === undefined && (!this.#batches.isEmpty() || this.#committing !== undefined)) {
      this.#batches.flush();
      this.#commitIfDue();
      await this.#committing;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #tools(): RederiveTools {
    const { onProgress } = this.#watch;
    return {
      spoolFolder: this.#setup.spoolFolder,
      step: this.#step,
      signal: this.#stopping.signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    };
  }

  async #rederive(module: string | undefined): Promise<RederiveReport> {
    this.#held = [];
    this.#stopping = new AbortController();
    let replaced: Checkpoint;
    let report: RederiveReport;
    try {
      await this.#settle();
      const { checkpoint, checkpointRows } = this.#base;
      if (checkpoint === undefined) throw new StrataError('store_empty', 'The store holds no chain yet');
      const made = await this.#deriveStage.rederive(checkpoint, module, this.#tools());
      if (made.rederived === undefined) throw new StrataError('internal', 'nothing was derived again');
      replaced = made.checkpoint ?? checkpoint;
      report = made.rederived;
      this.#base = { checkpoint: replaced, checkpointRows: checkpointRows + 1 };
      this.#watch.onSwitched?.();
    } finally {
      this.#takeHeld();
    }
    await sleep(this.#setup.dropAfterMs ?? DROP_AFTER_MS);
    await dropOtherGenerations(this.#store, replaced, this.#step);
    this.#step('reindex:dropped');
    return report;
  }
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
