import type { Clock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { type HeightRanges, includesHeight } from 'strata-kit/height-ranges';
import type { ChainParameters } from 'strata-kit/parameters';
import { askChainFacts } from '../chain/facts.ts';
import { askFirstHeight } from '../chain/first-height.ts';
import { checkSource } from '../chain/preflight.ts';
import { type BlockSource, isRpcCaller } from '../chain/source.ts';
import type { StepWatch } from '../core/steps.ts';
import type { VerifyMode } from '../core/verify-mode.ts';
import type { DecodeContext } from '../decode/range.ts';
import type { ChainPosition } from '../derive/header-chain.ts';
import { type BadBlockList, NO_BAD_BLOCKS, withHeights } from '../store/bad-blocks.ts';
import { writeChainHeight } from '../store/checkpoints.ts';
import { readFacts, writeFacts } from '../store/facts.ts';
import { openSessionPool } from '../store/session-pool.ts';
import type { Store, StoreFactory } from '../store/store.ts';
import { createBlockVerifier } from './block-verifier.ts';
import { createByteBudget } from './byte-budget.ts';
import { checkChain, isSameContext, settleContext } from './chain-context.ts';
import { explainMismatch } from './common-height.ts';
import { createDecodeStage } from './decode-stage.ts';
import type { ModulesState } from './derive-stage.ts';
import { firstHead } from './first-head.ts';
import type { HeadPace } from './head-pace.ts';
import { createIndexingHealth, type IndexingHealth } from './health.ts';
import { runIndexer } from './indexer.ts';
import { WRITER_SESSIONS } from './insert-files.ts';
import type { CommitReport, OpenedStore, StorePosition, WriterLimits } from './messages.ts';
import { createRangeLoader } from './range-loader.ts';
import { openRawCache, type RawCache } from './raw-cache.ts';
import type { RederiveReport } from './rederive.ts';
import { type Threads, WORKER_THREADS } from './threads.ts';
import { startWriterThread } from './writer-thread.ts';

export interface IndexingOptions {
  readonly source: BlockSource;
  readonly stores: StoreFactory;
  /** The chain id that the source must have; undefined takes the source's. */
  readonly chainId: string | undefined;
  readonly fromHeight: number | undefined;
  readonly toHeight: number | undefined;
  readonly workers: number;
  readonly rangeBlocks: number;
  readonly memoryBytes: number;
  readonly commit: WriterLimits;
  /** Each insert waits until its rows are on the disk. */
  readonly isDurable?: boolean;
  readonly parameters: ChainParameters;
  /** False: no module derives, whatever the store holds. */
  readonly hasModules?: boolean;
  /** Files of modules that lie outside of Strata. */
  readonly modulePaths?: readonly string[];
  /** Modules derive although the store does not begin with the chain's first block. */
  readonly forceModules?: boolean;
  /** How long nodes that do not answer are waited for before the first head; 0 by default. */
  readonly nodeWaitMs?: number;
  /** The folder in which the bytes of every indexed block are kept; none by default. Needs a source that is a node. */
  readonly keepRaw?: string | undefined;
  /** Whether blocks are held against the hashes that bind them; auto by default. */
  readonly verify?: VerifyMode;
  /** Where a block is kept although no node gives results of it that can be used; nowhere by default. */
  readonly acceptBadBlocks?: HeightRanges;
  /** How often the head is looked at; for each new block where it is left out. */
  readonly pace?: HeadPace | undefined;
  readonly clock: Clock;
  readonly log: IndexingLog;
  /** Told how the run is doing; one that nobody sees is made where none is given, for its log lines. */
  readonly health?: IndexingHealth;
  readonly onCommit: (commit: CommitReport) => void;
  readonly onHead: (chainHeight: number) => void;
  /** Modules have been derived again, and their new rows count. */
  readonly onSwitched?: () => void;
  readonly signal: AbortSignal;
  /** A test's. */
  readonly steps?: StepWatch | undefined;
  /** Worker threads by default. */
  readonly threads?: Threads;
}

export interface IndexingLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export interface Indexing {
  readonly chainId: string;
  /** The next height to index, at the start. */
  readonly startHeight: number;
  readonly chainHeight: number;
  /** Where the store stood when it was opened; undefined without a commit. */
  readonly position: StorePosition | undefined;
  /** What is between a fetch and its commit at this moment. */
  inFlight(): InFlight;
  modules(): ModulesState;
  /** Those in the store. */
  badBlocks(): BadBlockList;
  /**
   * Derives modules again from stored facts, all or the one named, while run() goes on fetching; nothing is committed
   * until it is done. Errors: those of Writer.rederive; aborted when the run is.
   */
  rederive(module: string | undefined): Promise<RederiveReport>;
  /** Runs until toHeight or the signal; commits what is in hand, then frees threads and sessions. */
  run(): Promise<void>;
  /** Frees threads and sessions when run() was never called; run() does so itself. */
  close(): Promise<void>;
}

/** Bytes fetched, decoding, decoded, spooled and not yet committed, under their limit; ranges not yet the writer's. */
export interface InFlight {
  readonly bytes: number;
  readonly limitBytes: number;
  readonly ranges: number;
}

/** The fact that this store's blocks fitted their hashes: from then on each one must. */
export const PROVEN_FACT = 'block_hashes_fit';
const RANGE_BYTES = 2_000_000;
/** Beyond the workers' own: one being fetched and one fetched for each, so that none waits for the network. */
const RANGES_PER_WORKER = 4;
const CHAIN_HEIGHT_INTERVAL_MS = 2_000;

/**
 * Opens the store for writing (migrations, repair), checks that source, store and configuration speak of one chain
 * and of heights that the source still has, and settles what decoding depends on.
 *
 * Errors: chain_id_mismatch, height_pruned, store_other_chain, config_invalid, those of the store and the source.
 */
export async function openIndexing(options: IndexingOptions): Promise<Indexing> {
  const { stores, signal, log, clock, parameters, threads = WORKER_THREADS } = options;
  let { source } = options;
  const health = options.health ?? createIndexingHealth({ clock, log, commitMs: options.commit.commitMs });
  let head = await firstHead(options);
  checkSource(head, options.chainId === undefined ? {} : { chainId: options.chainId });
  const writerStore = await openSessionPool(stores, 'writer', WRITER_SESSIONS);
  const onCommit = (commit: CommitReport): void => {
    budget.release(commit.rawBytes);
    committedChainHeight = commit.chainHeight;
    committedAtMs = clock.nowMs();
    badBlocks = withHeights(badBlocks, commit.badBlocks);
    logBadBlocks(commit.badBlocks);
    health.noteIndexed(commit.height, commit.blockTimeNs);
    options.onCommit(commit);
  };
  const budget = createByteBudget(options.memoryBytes);
  let committedChainHeight = 0;
  let committedAtMs = 0;
  let badBlocks = NO_BAD_BLOCKS;
  const logBadBlocks = badBlockLogger(log, clock);
  const steps = options.steps === undefined ? {} : { steps: options.steps };
  const setup = {
    spoolFolder: stores.spoolFolder,
    limits: options.commit,
    isDurable: options.isDurable === true,
    isAlone: stores.isExclusive,
    ...(options.hasModules === false
      ? {}
      : {
          derive: {
            namespace: parameters.namespace,
            stableDenom: parameters.stableDenom,
            evm: parameters.evm,
            serviceAccounts: parameters.serviceAccounts,
            faucet: parameters.faucet,
            ...(parameters.modules === undefined ? {} : { modules: parameters.modules }),
            isForced: options.forceModules === true,
            modulePaths: options.modulePaths ?? [],
          },
        }),
    ...steps,
  };
  const rederiving = { onProgress: rederivingLogger(log, clock), onSwitched: () => options.onSwitched?.() };
  const writer = await startWriterThread(writerStore, setup, onCommit, rederiving, threads);
  const factStore = await stores.open('facts');
  let proving: Promise<void> | undefined;
  let rawCache: RawCache | undefined;
  const closeSessions = async (): Promise<void> => {
    await proving;
    await writerStore.close();
    await factStore.close();
    await rawCache?.close();
  };
  try {
    logRepair(writer.opened, log);
    badBlocks = writer.opened.badBlocks;
    if (writer.opened.rederived !== undefined) logRederived(writer.opened.rederived, log);
    const facts = await readFacts(factStore);
    const stored = facts.get('chain_id');
    // most nodes may be of another chain than the store
    if (stored !== undefined && stored !== head.chainId && source.expectChain?.(stored) === true) {
      head = await firstHead(options);
    }
    checkChain(facts, head.chainId);
    const { position } = writer.opened;
    if (position !== undefined) health.noteIndexed(position.height, position.blockTimeNs);
    if (options.keepRaw !== undefined) {
      if (!isRpcCaller(source)) throw new StrataError('config_invalid', '--keep-raw keeps what nodes answer');
      rawCache = await openRawCache({ folder: options.keepRaw, source, head, position, clock, log, signal });
      ({ source, head } = rawCache);
    }
    const startHeight = continueAt(position, options) ?? (await askFirstHeight(source, head, log, signal));
    checkSource(head, { startHeight });
    rawCache?.checkBegin(startHeight);
    const settle = async (
      height: number,
      hasBlocks: boolean,
      needsEvmDenom: boolean,
    ): Promise<DecodeContext> => {
      const told = await askChainFacts(source, log, signal);
      const wish = { chainId: head.chainId, told, configured: parameters, height, hasBlocks, needsEvmDenom };
      // the newest block's results may not be there yet
      const latestHeight = Math.max(height, head.latestHeight - 1);
      const evidence = { source, log, signal, fromHeight: height, latestHeight };
      const context = await settleContext(factStore, stores.spoolFolder, wish, evidence);
      return { ...context, verify: options.verify !== 'never' };
    };
    let current = await settle(startHeight, position !== undefined, false);
    const refreshDescriptors = async (
      height: number,
      needsEvmDenom: boolean,
    ): Promise<DecodeContext | undefined> => {
      const newer = await settle(height, true, needsEvmDenom);
      if (isSameContext(current, newer)) return undefined;
      current = newer;
      return newer;
    };
    const decode = createDecodeStage(current, options.workers, refreshDescriptors, threads);
    const recordHead = chainHeightRecorder(factStore, options, () => ({
      height: committedChainHeight,
      atMs: committedAtMs,
    }));
    let ranges = 0;
    const verifier = createBlockVerifier({
      mode: options.verify ?? 'auto',
      isProven: facts.get(PROVEN_FACT) === 'yes',
      canAskAgain: isRpcCaller(source),
      log,
      onProven: () => {
        proving = writeFacts(factStore, new Map([[PROVEN_FACT, 'yes']])).catch((error: unknown) =>
          log.warn({ err: error }, 'that the blocks fit their hashes could not be stored'),
        );
      },
    });
    const accepts = (height: number): boolean => includesHeight(options.acceptBadBlocks ?? [], height);
    const indexToEnd = async (): Promise<void> => {
      const parent = position === undefined ? undefined : parentOf(position);
      try {
        if (rawCache !== undefined) {
          const loader = createRangeLoader({
            source,
            decode: decode.decode,
            chainId: head.chainId,
            verifier,
            accepts,
            isBrief: accepts,
            clock,
            keepsRaw: rawCache.needs,
          });
          await writer.orFailure(rawCache.fill(loader, parent, signal));
        }
        await runIndexer({
          rawCache,
          source,
          chainId: head.chainId,
          softwareVersion: head.softwareVersion,
          decode,
          writer,
          budget,
          pace: options.pace,
          verifier,
          accepts,
          limits: {
            rangeBlocks: options.rangeBlocks,
            rangeBytes: Math.min(RANGE_BYTES, options.memoryBytes),
            maxRangesInFlight: options.workers * RANGES_PER_WORKER,
          },
          startHeight,
          parent,
          stopHeight: options.toHeight,
          signal,
          clock,
          log,
          onCaughtUp: () => health.notePhase('following'),
          onHead: (chainHeight) => {
            health.noteHead(chainHeight);
            options.onHead(chainHeight);
            recordHead(chainHeight);
          },
          onQueue: (count) => {
            ranges = count;
          },
        });
      } catch (error) {
        await decode.close();
        // what is complete is worth keeping; to be stopped is no error that could hide another
        const failure = await writer.finish().then(
          () => error,
          (last: unknown) => (isStrataError(error, 'aborted') ? last : error),
        );
        const explained = await explainMismatch(failure, factStore, source, signal);
        await closeSessions();
        throw explained;
      }
      await decode.close();
      await writer.finish();
      await closeSessions();
    };
    let isRun = false;
    return {
      chainId: head.chainId,
      startHeight,
      chainHeight: head.latestHeight,
      position,
      modules: writer.modules,
      badBlocks: () => badBlocks,
      async rederive(module) {
        const stop = (): void => writer.stopRederiving();
        signal.addEventListener('abort', stop, { once: true });
        health.noteRederiving(true);
        try {
          const report = await writer.rederive(module);
          logRederived(report, log);
          return report;
        } finally {
          health.noteRederiving(false);
          signal.removeEventListener('abort', stop);
        }
      },
      inFlight: () => ({ bytes: budget.usedBytes, limitBytes: budget.limitBytes, ranges }),
      close: async () => {
        if (isRun) return;
        isRun = true;
        await decode.close();
        await writer.abandon();
        await closeSessions();
      },
      run: async () => {
        isRun = true;
        const watch = new AbortController();
        health.noteHead(head.latestHeight);
        health.notePhase('backfill');
        const watching = health.watch(watch.signal);
        try {
          await indexToEnd();
        } finally {
          health.notePhase('ended');
          options.pace?.giveUp();
          watch.abort();
          await watching;
        }
      },
    };
  } catch (error) {
    await writer.abandon();
    await closeSessions();
    throw error;
  }
}

const REDERIVING_LOG_MS = 10_000;

const BAD_BLOCKS_LOG_MS = 10_000;
/** So many heights are named in a line. */
const BAD_BLOCKS_NAMED = 10;

/** A line for bad blocks that are in the store now, and in a time of many one for all that came since the last line. */
function badBlockLogger(log: IndexingLog, clock: Clock): (heights: readonly number[]) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (heights) => {
    untold += heights.length;
    if (untold === 0 || clock.nowMs() - toldMs < BAD_BLOCKS_LOG_MS) return;
    toldMs = clock.nowMs();
    const named = heights.slice(0, BAD_BLOCKS_NAMED);
    log.warn(
      { count: untold, heights: named },
      untold === 1
        ? `block ${named.join()} is kept although its results cannot be used (table bad_blocks)`
        : `${untold} blocks are kept although their results cannot be used, ${named.join(', ')} among them (table bad_blocks)`,
    );
    untold = 0;
  };
}

/** A line now and then while modules are derived from stored facts. */
function rederivingLogger(log: IndexingLog, clock: Clock): (report: RederiveReport) => void {
  let toldMs = clock.nowMs();
  return (report) => {
    if (clock.nowMs() - toldMs < REDERIVING_LOG_MS) return;
    toldMs = clock.nowMs();
    const { height, toHeight } = report;
    log.info(report, `deriving modules from stored facts: height ${height} of ${toHeight}`);
  };
}

function logRederived(report: RederiveReport, log: IndexingLog): void {
  const { modules, blocks, events, seconds } = report;
  log.info(
    report,
    `derived ${modules.join(', ')} from ${blocks} stored blocks with ${events} events in ${seconds.toFixed(1)} s`,
  );
}

function logRepair({ deletedRows, stepBack }: OpenedStore, log: IndexingLog): void {
  if (stepBack !== undefined) {
    const goesOn =
      stepBack.toHeight === stepBack.fromHeight
        ? 'its modules are derived again'
        : `stepped back to height ${stepBack.toHeight}, and going on from there`;
    log.warn(
      { ...stepBack, deletedRows },
      `table ${stepBack.table} had ${stepBack.found} rows where the checkpoint at height ${stepBack.fromHeight} counted ${stepBack.expected}: ${goesOn}`,
    );
  } else if (deletedRows > 0) {
    log.warn({ rows: deletedRows }, 'removed rows of a commit that was cut short');
  }
}

/** What the next block must follow, and the results that it must name where the store knows them. */
function parentOf({ height, blockHash, results }: StorePosition): ChainPosition {
  const known = results && { resultsHash: results.hash, resultsAppHash: results.appHash };
  return { height, hash: blockHash, ...known };
}

/** Continues behind the checkpoint; an empty store starts at --from, undefined for the chain's first height. */
function continueAt(
  position: StorePosition | undefined,
  { fromHeight }: IndexingOptions,
): number | undefined {
  if (position === undefined) return fromHeight;
  if (fromHeight !== undefined && fromHeight < position.firstHeight) {
    throw new StrataError(
      'config_invalid',
      `--from ${fromHeight} lies below the store's first height ${position.firstHeight}: index into another --data folder or database`,
    );
  }
  if (fromHeight !== undefined && fromHeight > position.height + 1) {
    throw new StrataError(
      'config_invalid',
      `--from ${fromHeight} would leave a gap: the store ends at height ${position.height}, leave --from out`,
    );
  }
  return position.height + 1;
}

/** Keeps the chain's height in the store while commits do not, so that a serve-only process tells the lag. */
function chainHeightRecorder(
  store: Store,
  options: IndexingOptions,
  committed: () => { readonly height: number; readonly atMs: number },
): (chainHeight: number) => void {
  let recorded = 0;
  let recordedAtMs = 0;
  let writing = false;
  /** The lowest height that neither a checkpoint nor a record has, and since when it is known. */
  let unknown: { readonly height: number; readonly sinceMs: number } | undefined;
  return (chainHeight) => {
    const nowMs = options.clock.nowMs();
    const { height, atMs } = committed();
    // a checkpoint has the chain's height, too
    const known = Math.max(recorded, height);
    if (unknown !== undefined && unknown.height <= known) unknown = undefined;
    if (writing || chainHeight <= known) return;
    // a block that has just been found is about to be committed
    unknown ??= { height: chainHeight, sinceMs: nowMs };
    if (nowMs - Math.max(recordedAtMs, atMs, unknown.sinceMs) < CHAIN_HEIGHT_INTERVAL_MS) return;
    writing = true;
    recordedAtMs = nowMs;
    writeChainHeight(store, chainHeight)
      .then(() => {
        recorded = chainHeight;
      })
      .catch((error: unknown) => options.log.warn({ err: error }, "the chain's height could not be stored"))
      .finally(() => {
        writing = false;
      });
  };
}
