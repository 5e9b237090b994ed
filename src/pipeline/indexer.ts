import type { Clock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { isOutage } from 'strata-kit/outage';
import { explainMissingResults } from '../chain/kept-results.ts';
import type { ChainLog } from '../chain/log.ts';
import type { BlockSource, ChainHead } from '../chain/source.ts';
import type { ChainPosition } from '../derive/header-chain.ts';
import type { BlockVerifier } from './block-verifier.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DecodeStage } from './decode-stage.ts';
import type { HeadPace } from './head-pace.ts';
import type { RawCache } from './raw-cache.ts';
import { indexStretch } from './stretch.ts';
import type { WriterThread } from './writer-thread.ts';

export interface IndexerLimits {
  /** Blocks a range at most. */
  readonly rangeBlocks: number;
  /** Raw bytes a range aims at. */
  readonly rangeBytes: number;
  /** Ranges fetched or decoded at once, at most, unless the source wants more on their way. */
  readonly maxRangesInFlight: number;
}

export interface IndexerOptions {
  readonly source: BlockSource;
  readonly chainId: string;
  /** The binary's version for which `decode` has the descriptors. */
  readonly softwareVersion: string | undefined;
  readonly decode: DecodeStage;
  readonly writer: WriterThread;
  readonly budget: ByteBudget;
  /** How often the head is looked at; for each new block where it is left out. */
  readonly pace?: HeadPace | undefined;
  readonly verifier: BlockVerifier;
  /** Keeps the bytes of what the writer is given. */
  readonly rawCache?: RawCache | undefined;
  /** Whether a block whose results cannot be used is kept all the same. */
  readonly accepts: (height: number) => boolean;
  readonly limits: IndexerLimits;
  /** The next height to index. */
  readonly startHeight: number;
  /** What the first block must follow; undefined on an empty store. */
  readonly parent: ChainPosition | undefined;
  /** Stops there; undefined follows the head until the signal aborts. */
  readonly stopHeight: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: ChainLog;
  /** The chain's height, each time it is asked. */
  readonly onHead: (chainHeight: number) => void;
  /** The head has been reached for the first time. */
  readonly onCaughtUp: () => void;
  /** Ranges being fetched or decoded, or waiting to be handed over, each time their number changes. */
  readonly onQueue: (ranges: number) => void;
}

/** How long to wait for the next block before the head is asked anyway: a wake-up may be lost. */
const HEAD_POLL_MS = 1_000;

/** How often the chain's height is asked while a long stretch is indexed. */
const HEAD_INTERVAL_MS = 3_000;

/** Between two looks at nodes that do not answer; the source has spent its own attempts and pauses before. */
const OUTAGE_PAUSE_MS = 1_000;
const OUTAGE_LOG_MS = 10_000;

/** How far a run has come. */
export interface IndexerState {
  /** What was handed to the writer last. */
  position: ChainPosition | undefined;
  next: number;
  /** The greatest that was reported. */
  chainHeight: number;
}

/**
 * Indexes from startHeight to the head, then follows it. Ranges are fetched and decoded in parallel and handed to the
 * writer in height order: the queue is awaited from its front, so the writer cannot see a height before the one below.
 * In backfill each waits for the next one's parent hash, so that a wrong block from a node is asked for again before
 * it is written; at the head there is nobody to confirm a block but the next one.
 *
 * Once it has caught up, nodes that fail are waited for, without an end but the signal's: an indexer that follows a
 * chain outlives its node. Before, their failure is the run's, and so are blocks that are wrong in both cases.
 *
 * Returns when stopHeight is reached or the signal aborts; what was handed to the writer is committed by
 * WriterThread.finish(). Errors: final ones of source, decoder and writer.
 */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { source, signal, writer, pace } = options;
  const state: IndexerState = { position: options.parent, next: options.startHeight, chainHeight: 0 };
  const askedVersions = new Set([options.softwareVersion]);
  const outage = createOutageLog(options);
  let hasCaughtUp = false;
  while (!signal.aborted) {
    try {
      const head = await writer.orFailure(source.head(signal));
      noteHead(options, state, head);
      const target = Math.min(head.latestHeight, options.stopHeight ?? head.latestHeight);
      if (state.next <= target) {
        await refreshAfterUpgrade(options, head, askedVersions, state.next);
        await indexWatched(options, state, target);
      } else {
        if (options.stopHeight !== undefined && state.next > options.stopHeight) return;
        if (!hasCaughtUp) options.onCaughtUp();
        hasCaughtUp = true;
        const height = state.next - 1;
        const hasPaused = pace !== undefined && (await writer.orFailure(pace.pause(height, signal)));
        if (!hasPaused) await writer.orFailure(source.waitForHeightAbove(height, HEAD_POLL_MS, signal));
      }
      outage.end();
    } catch (error) {
      if (!hasCaughtUp || !isOutage(error)) {
        throw await explainMissingResults(source, error, state.chainHeight, signal);
      }
      pace?.giveUp();
      outage.note(error);
      await writer.orFailure(options.clock.sleep(OUTAGE_PAUSE_MS, signal));
    }
  }
}

/** Errors: chain_id_mismatch. */
function noteHead(options: IndexerOptions, state: IndexerState, head: ChainHead): void {
  if (head.chainId !== options.chainId) {
    throw new StrataError(
      'chain_id_mismatch',
      `the node is of chain ${head.chainId}, not ${options.chainId}`,
    );
  }
  state.chainHeight = Math.max(state.chainHeight, head.latestHeight);
  options.onHead(head.latestHeight);
}

/** The chain goes on while a long stretch is indexed, and its height is what lag is measured by. */
async function indexWatched(options: IndexerOptions, state: IndexerState, target: number): Promise<void> {
  const watch = new AbortController();
  const keepAsking = async (): Promise<void> => {
    while (!watch.signal.aborted) {
      await options.clock.sleep(HEAD_INTERVAL_MS, watch.signal);
      if (watch.signal.aborted) return;
      // a failure is the source's to log, and whoever needs the head next hears of it
      const head = await options.source.head(watch.signal).catch(() => undefined);
      if (head?.chainId === options.chainId && !watch.signal.aborted) noteHead(options, state, head);
    }
  };
  keepAsking().catch((error: unknown) =>
    options.log.warn({ err: error }, "the chain's height is not followed"),
  );
  try {
    await indexStretch(options, state, target);
  } finally {
    watch.abort();
  }
}

function createOutageLog({ clock, log }: IndexerOptions): { note(error: StrataError): void; end(): void } {
  let toldAtMs: number | undefined;
  return {
    note({ code, message }) {
      const nowMs = clock.nowMs();
      if (toldAtMs !== undefined && nowMs - toldAtMs < OUTAGE_LOG_MS) return;
      toldAtMs = nowMs;
      log.warn({ code, reason: message }, 'the nodes do not answer: waiting for them');
    },
    end() {
      if (toldAtMs === undefined) return;
      toldAtMs = undefined;
      log.info({}, 'the nodes answer again');
    },
  };
}

/**
 * Another version of the node's binary brings other descriptors; asked once a version, as several nodes may run
 * several. A node that does not tell its version says an empty one.
 */
async function refreshAfterUpgrade(
  { decode, writer }: IndexerOptions,
  { softwareVersion }: ChainHead,
  askedVersions: Set<string | undefined>,
  height: number,
): Promise<void> {
  if (softwareVersion === undefined || softwareVersion === '' || askedVersions.has(softwareVersion)) return;
  await writer.orFailure(decode.refresh(height));
  askedVersions.add(softwareVersion);
}
