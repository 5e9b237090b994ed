import { isStrataError } from 'strata-kit/errors';
import { includesHeight } from 'strata-kit/height-ranges';
import { checkSource } from '../chain/preflight.ts';
import { isRpcCaller } from '../chain/source.ts';
import type { ChainPosition } from '../derive/header-chain.ts';
import type { BadBlockList } from '../store/bad-blocks.ts';
import { writeFacts } from '../store/facts.ts';
import { type BlockVerifier, createBlockVerifier } from './block-verifier.ts';
import { chainHeightRecorder } from './chain-height.ts';
import { explainMismatch } from './common-height.ts';
import { createDecodeStage, type DecodeStage } from './decode-stage.ts';
import type { ModulesState } from './derive-stage.ts';
import { firstHead } from './first-head.ts';
import { createIndexingHealth, type IndexingHealth } from './health.ts';
import { runIndexer } from './indexer.ts';
import { logRederived } from './indexing-log.ts';
import type { IndexingOptions } from './indexing-options.ts';
import { type IndexingStart, settleStart } from './indexing-start.ts';
import { type IndexingStore, openIndexingStore } from './indexing-store.ts';
import type { StorePosition } from './messages.ts';
import { createRangeLoader } from './range-loader.ts';
import type { RederiveReport } from './rederive.ts';
import { WORKER_THREADS } from './threads.ts';

export interface Indexing {
  readonly chainId: string;
  /** The next height to index, at the start. */
  readonly startHeight: number;
  readonly chainHeight: number;
  /** The store's newest block when it was opened; undefined without a commit. */
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

/**
 * Opens the store for writing (migrations, repair), checks that source, store and configuration speak of one chain
 * and of heights that the source still has, and settles what decoding depends on.
 *
 * Errors: chain_id_mismatch, height_pruned, store_other_chain, config_invalid, those of the store and the source.
 */
export async function openIndexing(options: IndexingOptions): Promise<Indexing> {
  const { clock, log } = options;
  const health = options.health ?? createIndexingHealth({ clock, log, commitMs: options.commit.commitMs });
  const head = await firstHead(options);
  checkSource(head, options.chainId === undefined ? {} : { chainId: options.chainId });
  const store = await openIndexingStore(options, health);
  try {
    const start = await settleStart(options, store, head);
    return new IndexingRun({ ...options, health }, store, start);
  } catch (error) {
    await store.writer.abandon();
    await store.close();
    throw error;
  }
}

type RunOptions = IndexingOptions & { readonly health: IndexingHealth };

/** A run over an open store, from where it begins. */
class IndexingRun implements Indexing {
  readonly chainId: string;
  readonly startHeight: number;
  readonly chainHeight: number;
  readonly position: StorePosition | undefined;
  readonly #options: RunOptions;
  readonly #store: IndexingStore;
  readonly #start: IndexingStart;
  readonly #decode: DecodeStage;
  readonly #verifier: BlockVerifier;
  /** That the store's blocks fit their hashes is being stored. */
  #proving: Promise<void> | undefined;
  #ranges = 0;
  #isRun = false;

  constructor(options: RunOptions, store: IndexingStore, start: IndexingStart) {
    this.chainId = start.head.chainId;
    this.startHeight = start.startHeight;
    this.chainHeight = start.head.latestHeight;
    this.position = store.writer.opened.position;
    this.#options = options;
    this.#store = store;
    this.#start = start;
    const { workers, threads = WORKER_THREADS, log } = options;
    this.#decode = createDecodeStage(start.context, workers, start.refreshContext, threads);
    this.#verifier = createBlockVerifier({
      mode: options.verify ?? 'auto',
      isProven: start.facts.get(PROVEN_FACT) === 'yes',
      canAskAgain: isRpcCaller(start.source),
      log,
      onProven: () => {
        this.#proving = writeFacts(store.facts, new Map([[PROVEN_FACT, 'yes']])).catch((error: unknown) =>
          log.warn({ err: error }, 'that the blocks fit their hashes could not be stored'),
        );
      },
    });
  }

  modules(): ModulesState {
    return this.#store.writer.modules();
  }

  badBlocks(): BadBlockList {
    return this.#store.badBlocks();
  }

  inFlight(): InFlight {
    const { usedBytes, limitBytes } = this.#store.budget;
    return { bytes: usedBytes, limitBytes, ranges: this.#ranges };
  }

  async rederive(module: string | undefined): Promise<RederiveReport> {
    const { signal, health, log } = this.#options;
    const { writer } = this.#store;
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
  }

  async run(): Promise<void> {
    const { health, pace } = this.#options;
    this.#isRun = true;
    const watch = new AbortController();
    health.noteHead(this.chainHeight);
    health.notePhase('backfill');
    const watching = health.watch(watch.signal);
    try {
      await this.#indexToEnd();
    } finally {
      health.notePhase('ended');
      pace?.giveUp();
      watch.abort();
      await watching;
    }
  }

  async close(): Promise<void> {
    if (this.#isRun) return;
    this.#isRun = true;
    await this.#decode.close();
    await this.#store.writer.abandon();
    await this.#closeSessions();
  }

  async #closeSessions(): Promise<void> {
    await this.#proving;
    await this.#store.close();
    await this.#start.rawCache?.close();
  }

  async #indexToEnd(): Promise<void> {
    const { writer, facts } = this.#store;
    try {
      await this.#fillRawCache();
      await this.#index();
    } catch (error) {
      await this.#decode.close();
      // what is complete is worth keeping; to be stopped is no error that could hide another
      const failure = await writer.finish().then(
        () => error,
        (last: unknown) => (isStrataError(error, 'aborted') ? last : error),
      );
      const explained = await explainMismatch(failure, facts, this.#start.source, this.#options.signal);
      await this.#closeSessions();
      throw explained;
    }
    await this.#decode.close();
    await writer.finish();
    await this.#closeSessions();
  }

  #parent(): ChainPosition | undefined {
    return this.position === undefined ? undefined : parentOf(this.position);
  }

  #accepts(height: number): boolean {
    return includesHeight(this.#options.acceptBadBlocks ?? [], height);
  }

  /** Keeps the bytes of blocks that the store has and the cache has not. */
  async #fillRawCache(): Promise<void> {
    const { source, rawCache } = this.#start;
    const { clock, signal } = this.#options;
    if (rawCache === undefined) return;
    const accepts = (height: number): boolean => this.#accepts(height);
    const loader = createRangeLoader({
      source,
      decode: this.#decode.decode,
      chainId: this.chainId,
      verifier: this.#verifier,
      accepts,
      isBrief: accepts,
      clock,
      keepsRaw: rawCache.needs,
    });
    await this.#store.writer.orFailure(rawCache.fill(loader, this.#parent(), signal));
  }

  #index(): Promise<void> {
    const { source, head, rawCache, startHeight } = this.#start;
    const { writer, budget, facts, committed } = this.#store;
    const { clock, log, signal, health, workers, memoryBytes, rangeBlocks, pace, toHeight, onHead } =
      this.#options;
    const recordHead = chainHeightRecorder(facts, { clock, log }, committed);
    return runIndexer({
      rawCache,
      source,
      chainId: this.chainId,
      softwareVersion: head.softwareVersion,
      decode: this.#decode,
      writer,
      budget,
      pace,
      verifier: this.#verifier,
      accepts: (height) => this.#accepts(height),
      limits: {
        rangeBlocks,
        rangeBytes: Math.min(RANGE_BYTES, memoryBytes),
        maxRangesInFlight: workers * RANGES_PER_WORKER,
      },
      startHeight,
      parent: this.#parent(),
      stopHeight: toHeight,
      signal,
      clock,
      log,
      onCaughtUp: () => health.notePhase('following'),
      onHead: (chainHeight) => {
        health.noteHead(chainHeight);
        onHead(chainHeight);
        recordHead(chainHeight);
      },
      onQueue: (count) => {
        this.#ranges = count;
      },
    });
  }
}

/** What the next block must follow, and the results that it must name where the store knows them. */
function parentOf({ height, blockHash, results }: StorePosition): ChainPosition {
  const known = results && { resultsHash: results.hash, resultsAppHash: results.appHash };
  return { height, hash: blockHash, ...known };
}
