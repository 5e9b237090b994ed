import type { BlockSource, ChainHead } from '../chain/source.ts';
import type { Clock } from '../core/clock.ts';
import { isStrataError, StrataError } from '../core/errors.ts';
import type { DecodedRange } from '../decode/range.ts';
import type { ChainPosition } from '../derive/header-chain.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DecodeStage } from './decode-stage.ts';
import { createRangeLoader } from './range-loader.ts';
import type { WriterThread } from './writer-thread.ts';

export interface IndexerLimits {
  /** Blocks a range at most. */
  readonly rangeBlocks: number;
  /** Raw bytes a range aims at. */
  readonly rangeBytes: number;
  /** Ranges fetched or decoded at once, at most. */
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
  readonly limits: IndexerLimits;
  /** The next height to index. */
  readonly startHeight: number;
  /** What the first block must follow; undefined on an empty store. */
  readonly parent: ChainPosition | undefined;
  /** Stops there; undefined follows the head until the signal aborts. */
  readonly stopHeight: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The chain's height, each time it is asked. */
  readonly onHead: (chainHeight: number) => void;
}

/** How long to wait for the next block before the head is asked anyway: a wake-up may be lost. */
const HEAD_POLL_MS = 1_000;

/** A block at the node's head may have no results yet; nothing to ask again for sooner than this. */
const BEHIND_HEAD_RETRIES = 100;
const BEHIND_HEAD_DELAY_MS = 50;

/**
 * Indexes from startHeight to the head, then follows it. Ranges are fetched and decoded in parallel and handed to the
 * writer in height order: the queue is awaited from its front, so the writer cannot see a height before the one below.
 * In backfill each waits for the next one's parent hash, so that a wrong block from a node is asked for again before
 * it is written; at the head there is nobody to confirm a block but the next one.
 *
 * Returns when stopHeight is reached or the signal aborts; what was handed to the writer is committed by
 * WriterThread.finish(). Errors: final ones of source, decoder and writer.
 */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { source, signal } = options;
  let next = options.startHeight;
  let parent = options.parent;
  const { writer } = options;
  const askedVersions = new Set([options.softwareVersion]);
  while (!signal.aborted) {
    const head = await writer.orFailure(source.head(signal));
    if (head.chainId !== options.chainId) {
      throw new StrataError(
        'chain_id_mismatch',
        `the node is of chain ${head.chainId}, not ${options.chainId}`,
      );
    }
    options.onHead(head.latestHeight);
    const target = Math.min(head.latestHeight, options.stopHeight ?? head.latestHeight);
    if (next <= target) {
      await refreshAfterUpgrade(options, head, askedVersions, next);
      parent = await indexTo(options, next, target, head.latestHeight, parent);
      next = (parent?.height ?? next - 1) + 1;
      continue;
    }
    if (options.stopHeight !== undefined && next > options.stopHeight) return;
    await writer.orFailure(source.waitForHeightAbove(next - 1, HEAD_POLL_MS, signal));
  }
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

interface PendingRange {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly reservedBytes: number;
  readonly decoded: Promise<DecodedRange>;
}

/** Indexes next..target; returns the position reached, which is below target only when the signal aborted. */
async function indexTo(
  options: IndexerOptions,
  next: number,
  target: number,
  chainHeight: number,
  parent: ChainPosition | undefined,
): Promise<ChainPosition | undefined> {
  const { budget, limits, writer, signal } = options;
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort);
  const loader = createRangeLoader(
    options.source,
    (raw) => options.decode.decode(raw),
    options.chainId,
    options.clock,
  );
  const queue: PendingRange[] = [];
  let position = parent;
  let toFetch = next;
  /** Decoded; the next range has to confirm its last block before the writer gets it. */
  let held: DecodedRange | undefined;

  const fill = (): void => {
    while (toFetch <= target && queue.length < limits.maxRangesInFlight && !signal.aborted) {
      const blocks = blocksPerRange(options, target - toFetch + 1);
      const reservedBytes = Math.ceil(options.decode.meanBlockBytes * blocks);
      if (!budget.fits(reservedBytes)) return;
      const fromHeight = toFetch;
      const toHeight = toFetch + blocks - 1;
      budget.reserve(reservedBytes);
      // the parent of a range behind others is known when those have come
      const known = queue.length === 0 && held === undefined ? position : undefined;
      const load = () => loader.load(fromHeight, toHeight, stop.signal, known);
      const decoded = loadNearHead(load, options.clock, stop.signal);
      decoded.catch(() => undefined); // awaited below, in order; an earlier range may fail first
      queue.push({ fromHeight, toHeight, reservedBytes, decoded });
      toFetch = toHeight + 1;
    }
  };
  const handOver = (): void => {
    if (held === undefined) return;
    position = endOf(held);
    writer.push(held, chainHeight, held.toHeight === target);
    held = undefined;
  };
  const take = async (decoded: DecodedRange): Promise<void> => {
    if (held === undefined || follows(held, decoded)) {
      handOver();
      held = decoded;
      return;
    }
    // one of the two is wrong: as one range they are asked for until they fit
    const both = loader.load(held.fromHeight, decoded.toHeight, stop.signal, position);
    const joined = await writer.orFailure(both);
    budget.reserve(joined.rawBytes - held.rawBytes - decoded.rawBytes);
    held = joined;
  };

  try {
    fill();
    while (queue.length > 0 || (toFetch <= target && !signal.aborted)) {
      const pending = queue[0];
      if (pending === undefined) {
        // everything reserved is for the writer, which gives it back with the commit
        handOver();
        writer.flush();
        await writer.orFailure(budget.released());
      } else {
        const decoded = await writer.orFailure(pending.decoded);
        if (signal.aborted) break;
        queue.shift();
        budget.reserve(decoded.rawBytes - pending.reservedBytes);
        await take(decoded);
      }
      fill();
    }
    handOver();
  } finally {
    stop.abort();
    signal.removeEventListener('abort', abort);
    for (const pending of queue) budget.release(pending.reservedBytes);
  }
  return position;
}

function follows(before: DecodedRange, range: DecodedRange): boolean {
  return range.headers[0]?.parentHash === endOf(before).hash;
}

function endOf(decoded: DecodedRange): ChainPosition {
  const last = decoded.headers[decoded.headers.length - 1];
  if (last === undefined) throw new StrataError('internal', 'a range without blocks');
  return { height: last.height, hash: last.hash };
}

function blocksPerRange(options: IndexerOptions, left: number): number {
  const byBytes = Math.floor(options.limits.rangeBytes / Math.max(1, options.decode.meanBlockBytes));
  return Math.max(1, Math.min(left, options.limits.rangeBlocks, byBytes));
}

/** Results lag the block: at the head the answer may be a moment away. */
async function loadNearHead(
  load: () => Promise<DecodedRange>,
  clock: Clock,
  signal: AbortSignal,
): Promise<DecodedRange> {
  for (let retries = 0; ; retries++) {
    try {
      return await load();
    } catch (error) {
      const early = isStrataError(error, 'node_lagging') || isStrataError(error, 'results_not_ready');
      if (!early || retries >= BEHIND_HEAD_RETRIES || signal.aborted) throw error;
      await clock.sleep(BEHIND_HEAD_DELAY_MS, signal);
    }
  }
}
