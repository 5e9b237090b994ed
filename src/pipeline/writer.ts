import { setTimeout as sleep } from 'node:timers/promises';
import { StrataError } from 'strata-kit/errors';
import { noStep, type Step } from '../core/steps.ts';
import type { TableBlock } from '../core/table.ts';
import { BAD_BLOCKS, DECODED_TABLES } from '../core/tables.ts';
import { type BlockHeader, type DecodedRange, lastHeader } from '../decode/range.ts';
import { type ChainPosition, followHeaders } from '../derive/header-chain.ts';
import { type BadBlockList, listBadBlocks, NO_BAD_BLOCKS } from '../store/bad-blocks.ts';
import { type Checkpoint, checkpointsFrom, writeCheckpoint } from '../store/checkpoints.ts';
import { keepCursorKey } from '../store/cursor-keys.ts';
import { spoolFailed } from '../store/disk.ts';
import { alignDurability } from '../store/durability.ts';
import { dropOtherGenerations } from '../store/generations.ts';
import { createMergePolicy } from '../store/merge-policy.ts';
import { migrate } from '../store/migrations.ts';
import { prepareModuleTables } from '../store/module-tables.ts';
import { type Recovery, recoverStore } from '../store/recovery.ts';
import { countRows, findDifference, VIEW_TARGETS } from '../store/repair.ts';
import { SEALED_COUNTS, sealCounts } from '../store/seals.ts';
import type { Store } from '../store/store.ts';
import { waitForWriters } from '../store/writers.ts';
import { type DeriveOptions, NO_MODULES, tablesOf } from './derive-options.ts';
import { createDeriveStage, type ModulesState } from './derive-stage.ts';
import type { CommitReport, WriterSetup } from './messages.ts';
import type { RederiveReport } from './rederive.ts';
import { addRollUps } from './roll-ups.ts';
import { clearSpool, createSpoolBatch, type SpoolBatch } from './spool.ts';

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
   * Errors: parent_mismatch at the door; store_query_failed when the commit's files cannot be written, as on a full
   * disk. A commit that fails is reported once. After either every later call throws it.
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

interface Batch {
  readonly spool: SpoolBatch;
  readonly firstHeight: number;
  readonly startedMs: number;
  last: BlockHeader;
  blocks: number;
  events: number;
  txs: number;
  badBlocks: number[];
  rawBytes: number;
  nativeBytes: number;
}

function resultsOf({ resultsHash, resultsAppHash }: BlockHeader): Pick<Checkpoint, 'results'> {
  return resultsHash === '' ? {} : { results: { hash: resultsHash, appHash: resultsAppHash } };
}

/** By then every process that answers from this store sees the new generation, and asks again what it was at. */
const DROP_AFTER_MS = 2_000;

/** How often a writer that is alone compares the counts of all tables, which costs as much as ten inserts. */
const COUNT_PAUSE_MS = 60_000;

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
  const tables = [...DECODED_TABLES, BAD_BLOCKS, ...deriveStage.tables];
  const mergePolicy = createMergePolicy(store);
  let checkpoint: Checkpoint | undefined;
  /** One, unless the newest took the place of another at its height. */
  let rowsAtCheckpoint = 0;
  /** Ranges that wait for a re-derivation; undefined while there is none. */
  let held: HeldRange[] | undefined;
  let rederiving: Promise<unknown> | undefined;
  let stopping = new AbortController();
  let door: ChainPosition | undefined;
  let batch: Batch | undefined;
  /** Those that take no more ranges, in order; they are committed before `batch`. */
  const closed: Batch[] = [];
  let sequence = 0;
  let chainHeight = 0;
  let flushWanted = false;
  let failure: unknown;
  let committing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let countedAtMs = 0;

  const isDue = (open: Batch): boolean =>
    flushWanted ||
    open.blocks >= setup.limits.commitBlocks ||
    open.nativeBytes >= setup.limits.commitBytes ||
    Date.now() - open.startedMs >= setup.limits.commitMs;

  /** While a commit runs, the next batch grows: what the engine cannot keep up with becomes larger commits. */
  const commitIfDue = (): void => {
    if (committing !== undefined || failure !== undefined) return;
    const first = closed.shift();
    if (first !== undefined) {
      start(first);
      return;
    }
    if (batch === undefined) return;
    if (!isDue(batch)) {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          commitIfDue();
        },
        Math.max(1, batch.startedMs + setup.limits.commitMs - Date.now()),
      );
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    const sealed = batch;
    batch = undefined;
    flushWanted = false;
    start(sealed);
  };

  const start = (sealed: Batch): void => {
    committing = commit(sealed)
      .catch((error: unknown) => {
        failure = error;
        onFailure(error);
      })
      .finally(() => {
        committing = undefined;
        commitIfDue();
      });
  };

  /** Errors: store_in_use. */
  const checkAlone = async (): Promise<void> => {
    if (setup.isAlone === true) return;
    const { count, height } = await checkpointsFrom(store, checkpoint?.height ?? 0);
    if (count === rowsAtCheckpoint) return;
    throw new StrataError(
      'store_in_use',
      `another process indexes into this store: it has a checkpoint at height ${height} that is not of this one. Let one alone go on; started again, it repairs what both have written`,
    );
  };

  /**
   * Compares the counts of whole tables, which the engine keeps with their parts. A writer that is alone does so once a
   * minute: nobody else adds rows, and the next start compares them too.
   * Errors: store_in_use for rows that are not this process's, as of a late insert of one that was killed.
   */
  const checkCounts = async (rows: ReadonlyMap<string, number>): Promise<void> => {
    if (setup.isAlone === true && Date.now() - countedAtMs < COUNT_PAUSE_MS) return;
    countedAtMs = Date.now();
    const inserted = new Map(tables.map(({ name }) => [name, rows.get(name) ?? 0]));
    const difference = await findDifference(store, { ...deriveStage.named(), rows: inserted });
    if (difference === undefined) return;
    const { table, found, expected } = difference;
    throw new StrataError(
      'store_in_use',
      `table ${table} has ${found} rows where this process has brought it to ${expected}: another one writes into this store, or has until now. Started again, it is repaired`,
    );
  };

  const commit = async (sealed: Batch): Promise<void> => {
    const startedMs = Date.now();
    await checkAlone();
    const files = sealed.spool.seal();
    step('commit:begin');
    const rows = new Map(checkpoint?.rows ?? []);
    for (const table of tables) {
      const file = files.get(table.name);
      if (file === undefined) continue;
      const columns = table.columns.map(([name]) => name);
      step('commit:insert', table.name);
      await store.insertNativeFiles(table.name, columns, [file.path]);
      rows.set(table.name, (rows.get(table.name) ?? 0) + file.rows);
    }
    step('commit:inserted');
    const above = checkpoint === undefined ? undefined : `height > ${checkpoint.height}`;
    // a commit without txs adds no rows to their views
    const added = files.has('txs') ? await countRows(store, VIEW_TARGETS, above) : new Map<string, number>();
    for (const table of VIEW_TARGETS) rows.set(table, (rows.get(table) ?? 0) + (added.get(table) ?? 0));
    step('commit:counted');
    await countSealed(rows, sealed.last.height);
    await addSums(rows, sealed.last.height, files);
    step('commit:sealed');
    const next: Checkpoint = {
      height: sealed.last.height,
      firstHeight: checkpoint?.firstHeight ?? sealed.firstHeight,
      blockHash: sealed.last.hash,
      blockTimeNs: sealed.last.timeNs,
      chainHeight: Math.max(chainHeight, sealed.last.height),
      ...resultsOf(sealed.last),
      rows,
      ...deriveStage.named(),
    };
    await checkAlone();
    await checkCounts(rows);
    step('commit:checkpoint');
    await writeCheckpoint(store, next);
    step('commit:written');
    checkpoint = next;
    rowsAtCheckpoint = 1;
    sealed.spool.remove();
    await mergePolicy.follow(next.chainHeight - next.height);
    step('commit:done');
    onCommit({
      height: next.height,
      firstHeight: next.firstHeight,
      blockHash: next.blockHash,
      blockTimeNs: next.blockTimeNs,
      chainHeight: next.chainHeight,
      blocks: sealed.blocks,
      events: sealed.events,
      txs: sealed.txs,
      badBlocks: sealed.badBlocks,
      checkpoint: {
        generations: next.generations,
        driftRows: next.rows.get('drift') ?? 0,
        badBlockRows: next.rows.get('bad_blocks') ?? 0,
      },
      rawBytes: sealed.rawBytes,
      nativeBytes: sealed.nativeBytes,
      gatherMs: startedMs - sealed.startedMs,
      durationMs: Date.now() - startedMs,
    });
  };

  /** Counts of the ranges of heights that this commit completes; in the checkpoint also where there are none. */
  const countSealed = async (rows: Map<string, number>, toHeight: number): Promise<void> => {
    const from = checkpoint?.height ?? 0;
    step('commit:seal');
    const added = (await sealCounts(store, from, toHeight))
      ? (await countRows(store, [SEALED_COUNTS], `height > ${from}`)).get(SEALED_COUNTS)
      : 0;
    rows.set(SEALED_COUNTS, (rows.get(SEALED_COUNTS) ?? 0) + (added ?? 0));
  };

  /** What modules sum up over the ranges of heights that this commit completes. */
  const addSums = async (
    rows: Map<string, number>,
    toHeight: number,
    inserted: Pick<ReadonlyMap<string, unknown>, 'has'>,
  ): Promise<void> => {
    const from = checkpoint?.height ?? 0;
    const added = await addRollUps(
      store,
      derive.derivations,
      deriveStage.named().generations,
      from,
      toHeight,
      inserted,
    );
    for (const [table, count] of added) rows.set(table, (rows.get(table) ?? 0) + count);
  };

  /** Errors: derive_failed, from then on at every call. */
  const deriveOrFail = (range: DecodedRange): readonly TableBlock[] => {
    try {
      return deriveStage.derive(range);
    } catch (error) {
      failure = error;
      throw error;
    }
  };

  const take = (range: DecodedRange, newChainHeight: number, flush: boolean): void => {
    door = followHeaders(door, range.headers);
    chainHeight = Math.max(chainHeight, newChainHeight);
    const last = lastHeader(range);
    const derived = deriveOrFail(range);
    const { badBlocks = [] } = range;
    // several in a row are one commit: what is before the first of them is what stays when one is taken again
    if (batch !== undefined && badBlocks.length > 0 && batch.badBlocks.at(-1) !== batch.last.height) {
      closed.push(batch);
      batch = undefined;
    }
    batch ??= {
      spool: createSpoolBatch(setup.spoolFolder, sequence++),
      firstHeight: range.fromHeight,
      startedMs: Date.now(),
      last,
      blocks: 0,
      events: 0,
      txs: 0,
      badBlocks: [],
      rawBytes: 0,
      nativeBytes: 0,
    };
    try {
      for (const table of [...range.tables, ...derived]) {
        batch.spool.append(table);
        batch.nativeBytes += table.native.byteLength;
      }
    } catch (error) {
      // half a range is in the files: none of them may be committed
      const dropped = batch;
      batch = undefined;
      failure = spoolFailed(error);
      dropped.spool.seal();
      dropped.spool.remove();
      throw failure;
    }
    batch.last = last;
    batch.rawBytes += range.rawBytes;
    batch.badBlocks.push(...badBlocks.map(({ height }) => height));
    for (const header of range.headers) {
      batch.blocks++;
      batch.events += header.eventCount;
      batch.txs += header.txCount;
    }
    flushWanted ||= flush;
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
    while (failure === undefined && (batch !== undefined || closed.length > 0 || committing !== undefined)) {
      flushWanted = true;
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
      if (checkpoint === undefined) throw new StrataError('store_empty', 'The store holds no chain yet');
      const { checkpoint: next = checkpoint, rederived } = await deriveStage.rederive(
        checkpoint,
        module,
        tools(),
      );
      if (rederived === undefined) throw new StrataError('internal', 'nothing was derived again');
      checkpoint = next;
      rowsAtCheckpoint++;
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
      checkpoint = recovery.checkpoint;
      const opened = await deriveStage.open(checkpoint, tools());
      // recovery has dropped what the checkpoint that it found does not name
      const isChanged = opened.checkpoint !== checkpoint;
      checkpoint = opened.checkpoint;
      if (checkpoint !== undefined) {
        if (isChanged) await dropOtherGenerations(store, checkpoint, step);
        if (opened.rederived !== undefined) step('reindex:dropped');
        rowsAtCheckpoint = (await checkpointsFrom(store, checkpoint.height)).count;
      }
      step('start:done');
      door = checkpoint === undefined ? undefined : { height: checkpoint.height, hash: checkpoint.blockHash };
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
      if (batch === undefined) return;
      flushWanted = true;
      commitIfDue();
    },
    async finish() {
      await rederiving;
      await settle().finally(() => clearTimeout(timer));
      if (checkpoint !== undefined) await mergePolicy.follow(0);
    },
  };
}
