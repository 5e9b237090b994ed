import type { Clock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import type { ChainLog } from '../chain/log.ts';
import { type BlockHeader, type DecodedRange, lastHeader } from '../decode/range.ts';
import type { BlockVerifier } from './block-verifier.ts';
import type { IndexerOptions, IndexerState } from './indexer.ts';
import { createRangeLoader, endOf, type LoadedRange, partsOf } from './range-loader.ts';
import { UnusableBlock } from './unusable-block.ts';

/** Nothing is known of the blocks' size before the first range: it is small, and alone. */
const FIRST_RANGE_BLOCKS = 5;
/** Ranges grow from the largest that was decoded by this at most, so that blocks that turn heavy show early. */
const MAX_RANGE_GROWTH = 4;

/** How often the last block and the one above it are asked for until they fit. */
const MAX_CONFIRMATIONS = 5;

/** So near to the head results may be a moment away; deeper, what is not there will not come. */
const NEAR_HEAD_BLOCKS = 10;
const NEAR_HEAD_WAIT_MS = 15_000;
const NEAR_HEAD_PAUSE_MS = 50;
const NEAR_HEAD_LOG_MS = 3_000;

interface PendingRange {
  readonly blocks: number;
  reservedBytes: number;
  readonly decoded: Promise<LoadedRange>;
}

/**
 * Indexes state.next..target and moves `state` with what the writer was given; stops short only when aborted. At a block
 * that cannot be used the writer is given all that comes before it first. Errors: those of RangeLoader and the writer.
 */
export async function indexStretch(
  options: IndexerOptions,
  state: IndexerState,
  target: number,
): Promise<void> {
  const { budget, writer, signal, decode } = options;
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort);
  const { source, chainId, verifier, accepts, clock } = options;
  const isNearHead = (height: number): boolean => height > state.chainHeight - NEAR_HEAD_BLOCKS;
  // at the head what is wrong may be right in a moment
  const isBrief = (height: number): boolean => accepts(height) && !isNearHead(height);
  const loader = createRangeLoader({
    source,
    decode: decode.decode,
    chainId,
    verifier,
    accepts,
    isBrief,
    clock,
    keepsRaw: options.rawCache?.needs,
  });
  const queue: PendingRange[] = [];
  let toFetch = state.next;
  /** Decoded; the next range has to confirm its last block before the writer gets it. */
  let held: LoadedRange | undefined;
  /** Reserved here and not yet the writer's to give back. */
  let reservedBytes = 0;

  const reserve = (bytes: number): void => {
    budget.reserve(bytes);
    reservedBytes += bytes;
  };
  const fill = (): void => {
    while (toFetch <= target && !signal.aborted) {
      if (decode.largestRangeBlocks === 0 && queue.length > 0) return;
      const blocks = blocksPerRange(options, target - toFetch + 1);
      if (queue.length >= rangesInFlight(options, blocks)) return;
      const estimate = Math.ceil(decode.meanBlockBytes * blocks);
      if (!budget.fits(estimate)) return;
      const fromHeight = toFetch;
      const toHeight = toFetch + blocks - 1;
      reserve(estimate);
      // the parent of a range behind others is known when those have come
      const known = queue.length === 0 && held === undefined ? state.position : undefined;
      const load = () => loader.load(fromHeight, toHeight, stop.signal, known);
      const decoded = loadNearHead(load, () => isNearHead(toHeight), options, stop.signal);
      decoded.catch(() => undefined); // awaited below, in order; an earlier range may fail first
      queue.push({ blocks, reservedBytes: estimate, decoded });
      options.onQueue(queue.length);
      toFetch = toHeight + 1;
    }
  };
  /** Blocks that turn heavy: what is on its way is taken to be like what came, until it is known. */
  const correct = (pending: PendingRange, decoded: DecodedRange): void => {
    reserve(decoded.rawBytes - pending.reservedBytes);
    const meanBytes = decoded.rawBytes / pending.blocks;
    for (const behind of queue) {
      const missing = Math.ceil(meanBytes * behind.blocks) - behind.reservedBytes;
      if (missing <= 0) continue;
      reserve(missing);
      behind.reservedBytes += missing;
    }
  };
  /** `isConfirmed`: a block above its last one has been seen. */
  const handOver = async (isConfirmed = false): Promise<void> => {
    if (held === undefined) return;
    // before the store has them, so that it never has more than the cache by more than a kill can take
    if (options.rawCache !== undefined) await writer.orFailure(options.rawCache.keep(held, isConfirmed));
    const { raw: _, ...range } = held;
    state.position = endOf(range);
    state.next = range.toHeight + 1;
    reservedBytes -= range.rawBytes;
    for (const part of partsOf(range)) writer.push(part, state.chainHeight, part.toHeight === target);
    held = undefined;
  };
  const take = async (decoded: LoadedRange): Promise<void> => {
    if (held === undefined || follows(held, decoded.headers[0], verifier)) {
      await handOver();
      held = decoded;
      return;
    }
    // one of the two is wrong: as one range they are asked for until they fit
    const both = loader.load(held.fromHeight, decoded.toHeight, stop.signal, state.position);
    const joined = await writer.orFailure(both);
    reserve(joined.rawBytes - held.rawBytes - decoded.rawBytes);
    held = joined;
  };

  /** The last block of a bounded run has nobody above it to confirm it but a block that is not kept. */
  const confirmLast = async (): Promise<boolean> => {
    if (target !== options.stopHeight || target >= state.chainHeight) return false;
    for (let attempt = 1; held !== undefined && !signal.aborted; attempt++) {
      const above = loader.load(target + 1, target + 1, stop.signal).catch((error: unknown) => {
        if (!isStrataError(error)) throw error;
        options.log.info({ reason: error.message }, 'the last block is not confirmed by the one above it');
        return undefined;
      });
      const witness = await writer.orFailure(above);
      if (witness === undefined) return false;
      if (follows(held, witness.headers[0], verifier)) return true;
      if (attempt === MAX_CONFIRMATIONS) throw unconfirmed(target);
      const again = loader.load(held.fromHeight, held.toHeight, stop.signal, state.position);
      const reloaded = await writer.orFailure(again);
      reserve(reloaded.rawBytes - held.rawBytes);
      held = reloaded;
    }
    return false;
  };

  /** The blocks before one that cannot be used, which are to be in the store when the run ends. */
  const handOverBefore = async ({ unusableHeight, header }: UnusableBlock): Promise<void> => {
    held = undefined;
    if (state.next === unusableHeight) return;
    const before = await writer.orFailure(
      loader.load(state.next, unusableHeight - 1, stop.signal, state.position),
    );
    reserve(before.rawBytes);
    if (header !== undefined && !follows(before, header, verifier)) return;
    held = before;
    await handOver(header !== undefined);
  };

  const indexAll = async (): Promise<void> => {
    fill();
    while (queue.length > 0 || (toFetch <= target && !signal.aborted)) {
      const pending = queue[0];
      if (pending === undefined) {
        // everything reserved is for the writer, which gives it back with the commit
        await handOver();
        writer.flush();
        await writer.orFailure(budget.released());
      } else {
        const decoded = await writer.orFailure(pending.decoded);
        if (signal.aborted) break;
        queue.shift();
        options.onQueue(queue.length);
        correct(pending, decoded);
        await take(decoded);
      }
      fill();
    }
    await handOver(await confirmLast());
  };

  try {
    await indexAll();
  } catch (error) {
    if (error instanceof UnusableBlock && !signal.aborted) await handOverBefore(error);
    throw error;
  } finally {
    stop.abort();
    options.onQueue(0);
    signal.removeEventListener('abort', abort);
    budget.release(reservedBytes);
  }
}

function unconfirmed(height: number): StrataError {
  return new StrataError(
    'parent_mismatch',
    `block ${height + 1} does not follow block ${height} as the nodes give it, however often both are asked for`,
    { height: height + 1 },
  );
}

function follows(before: DecodedRange, first: BlockHeader | undefined, verifier: BlockVerifier): boolean {
  const last = lastHeader(before);
  return first !== undefined && first.parentHash === last.hash && verifier.confirms(first, last);
}

/** As many as keep the decoder busy, and the source besides where the way to its nodes is long; the budget bounds both. */
function rangesInFlight({ source, limits }: IndexerOptions, blocks: number): number {
  const few = limits.maxRangesInFlight;
  const wanted = Math.ceil((source.wantedHeights?.() ?? 0) / blocks);
  return Math.max(few, wanted + Math.ceil(few / 2));
}

function blocksPerRange({ decode, limits }: IndexerOptions, left: number): number {
  const byBytes = Math.floor(limits.rangeBytes / Math.max(1, decode.meanBlockBytes));
  const byGrowth = Math.max(FIRST_RANGE_BLOCKS, MAX_RANGE_GROWTH * decode.largestRangeBlocks);
  return Math.max(1, Math.min(left, limits.rangeBlocks, byBytes, byGrowth));
}

/** Results lag the block: at the head the answer may be a moment away. Says so when it is not. */
async function loadNearHead(
  load: () => Promise<LoadedRange>,
  isNearHead: () => boolean,
  { clock, log }: { readonly clock: Clock; readonly log: ChainLog },
  signal: AbortSignal,
): Promise<LoadedRange> {
  const startedMs = clock.nowMs();
  let toldAtMs = startedMs;
  while (true) {
    try {
      return await load();
    } catch (error) {
      const isEarly = isStrataError(error, 'node_lagging') || isStrataError(error, 'results_not_ready');
      const nowMs = clock.nowMs();
      if (!isEarly || !isNearHead() || nowMs - startedMs >= NEAR_HEAD_WAIT_MS || signal.aborted) throw error;
      if (nowMs - toldAtMs >= NEAR_HEAD_LOG_MS) {
        toldAtMs = nowMs;
        log.warn({ code: error.code, reason: error.message }, 'waiting for a block at the head');
      }
      await clock.sleep(NEAR_HEAD_PAUSE_MS, signal);
    }
  }
}
