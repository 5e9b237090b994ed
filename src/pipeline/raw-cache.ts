import { join } from 'node:path';
import type { Clock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { readIndexedBlocks } from '../chain/capture/blocks-indexed.ts';
import { BLOCKS_FILE, META_FILE, readIndex, readMeta, readOptional } from '../chain/capture/format.ts';
import { createKeptSource, withKeptHeights } from '../chain/capture/kept-source.ts';
import { recordFacts } from '../chain/capture/record.ts';
import { type CaptureWriter, openCaptureWriter } from '../chain/capture/writer.ts';
import { type BlockText, splitRange } from '../chain/envelope.ts';
import type { ChainLog } from '../chain/log.ts';
import type { BlockSource, ChainHead, RpcCaller } from '../chain/source.ts';
import type { ChainPosition } from '../derive/header-chain.ts';
import { isDiskFull } from '../store/disk.ts';
import { endOf, type LoadedRange, type RangeLoader } from './range-loader.ts';

/**
 * Every block that was fetched and verified, kept in a capture folder beside the store (--keep-raw), so that the store can
 * be built again without the node. It is written before the store is: what a kill takes of it, less than a second of
 * blocks, is fetched again at the next start. A block is kept once the next one has confirmed its results.
 */
export interface RawCache {
  /** The node, with the heights that the folder holds read from there. */
  readonly source: BlockSource & RpcCaller;
  /** Its head, with the heights that the folder holds. */
  readonly head: ChainHead;
  /** Errors: config_invalid where the folder begins above the first height that is indexed. */
  checkBegin(startHeight: number): void;
  /** Whether a range that ends there has a height that is still to be kept. */
  needs(toHeight: number): boolean;
  /**
   * Keeps the blocks of a range that follows the one before. Its last block waits for the next range, unless something
   * else has confirmed it. Errors: disk_full, capture_invalid.
   */
  keep(range: LoadedRange, isConfirmed?: boolean): Promise<void>;
  /**
   * Fetches what the folder lacks below the next height to index, unless that is the whole of a long store. `position`:
   * where the store ends; its last block must be the one that comes. Errors: those of the loader; parent_mismatch.
   */
  fill(loader: RangeLoader, position: ChainPosition | undefined, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface RawCacheOptions {
  /** Absolute. */
  readonly folder: string;
  readonly source: BlockSource & RpcCaller;
  readonly head: ChainHead;
  /** Where the store begins and ends; undefined without a commit. */
  readonly position: { readonly firstHeight: number; readonly height: number } | undefined;
  readonly clock: Clock;
  readonly log: ChainLog;
  readonly signal: AbortSignal;
}

/** More than a kill can take: fetching it is the user's to decide. */
const MAX_MISSING_HEIGHTS = 10_000;
const FILL_BLOCKS = 50;

/** Errors: capture_invalid; config_invalid where the folder does not go with the store; those of the node. */
export async function openRawCache(options: RawCacheOptions): Promise<RawCache> {
  const { folder, source, head, position, clock } = options;
  const writer = await openCaptureWriter(folder, head.chainId, clock);
  try {
    await keepFacts(options);
    checkStart(folder, writer, position);
    if (writer.nextHeight() === undefined) return createRawCache(options, writer, { source, head });
    const index = (await readIndex(folder)) ?? [];
    const kept = await readIndexedBlocks(folder, join(folder, BLOCKS_FILE), index);
    const joined = { source: createKeptSource(folder, kept, source), head: withKeptHeights(head, kept) };
    return createRawCache(options, writer, joined, () => kept.close());
  } catch (error) {
    await writer.close();
    throw error;
  }
}

function createRawCache(
  { folder, log, position: stored, head: { earliestHeight } }: RawCacheOptions,
  writer: CaptureWriter,
  joined: Pick<RawCache, 'source' | 'head'>,
  closeKept: () => Promise<void> = async () => {},
): RawCache {
  /** Not yet confirmed. */
  let last: BlockText | undefined;
  let isBroken = false;

  const keep = async (range: LoadedRange, isConfirmed = false): Promise<void> => {
    const next = writer.nextHeight() ?? range.fromHeight;
    if (range.toHeight < next) return;
    const blocks = (range.raw ?? []).flatMap((body) =>
      splitRange({ ...body, bodies: [body], byteLength: body.bytes.length, origin: folder }),
    );
    const ready = [...(last === undefined ? [] : [last]), ...blocks].filter(({ height }) => height >= next);
    last = isConfirmed ? undefined : ready.pop();
    try {
      const isFirst = writer.firstHeight() === undefined;
      await writer.append(ready);
      // where it begins outlives a kill
      if (isFirst) await writer.flush();
    } catch (error) {
      isBroken = true;
      throw writeFailed(folder, error);
    }
  };

  const fetchMissing = async (
    loader: RangeLoader,
    next: number,
    position: ChainPosition,
    signal: AbortSignal,
  ): Promise<void> => {
    // the store's last block alone is not confirmed, and so not kept, at every end of a run
    if (next < position.height) {
      log.info({ folder }, `the raw cache lacks heights ${next} to ${position.height}: fetching them`);
    }
    let end: ChainPosition | undefined;
    for (let from = next; from <= position.height; from += FILL_BLOCKS) {
      const to = Math.min(position.height, from + FILL_BLOCKS - 1);
      const range = await loader.load(from, to, signal, end);
      end = endOf(range);
      await keep(range);
    }
    if (end === undefined || isSame(end, position)) return;
    throw new StrataError(
      'parent_mismatch',
      `the nodes give block ${position.height} otherwise than the store has it`,
      { height: position.height },
    );
  };

  return {
    ...joined,
    checkBegin(startHeight) {
      const first = writer.firstHeight();
      if (first === undefined || startHeight >= first) return;
      throw new StrataError(
        'config_invalid',
        `the raw cache ${folder} begins at height ${first}, and indexing at ${startHeight}: give another folder, or --from ${first} into an empty store`,
      );
    },
    needs: (toHeight) => toHeight >= (writer.nextHeight() ?? toHeight),
    keep,
    async fill(loader, position, signal) {
      if (position === undefined || stored === undefined) return;
      const next = writer.nextHeight() ?? stored.firstHeight;
      if (next > position.height) return;
      const isPruned = next < earliestHeight;
      if (isPruned && writer.nextHeight() !== undefined) throw prunedGap(folder, next, position.height);
      const isWanted = !isPruned && position.height - next < MAX_MISSING_HEIGHTS;
      if (isWanted) await fetchMissing(loader, next, position, signal);
      if (writer.nextHeight() === undefined && last === undefined) {
        log.info(
          { folder },
          `the raw cache begins at height ${position.height + 1}: it lacks what is indexed`,
        );
      }
    },
    async close() {
      await closeKept();
      await writer.close().catch((error: unknown) => {
        // what broke it is told already
        if (!isBroken) throw writeFailed(folder, error);
      });
    },
  };
}

function isSame(a: ChainPosition, b: ChainPosition): boolean {
  const { resultsHash = a.resultsHash } = b;
  return a.hash === b.hash && a.resultsHash === resultsHash;
}

/** The chain's own facts, again after an upgrade: a rebuild decodes with them. */
async function keepFacts({ folder, source, head, signal }: RawCacheOptions): Promise<void> {
  const isThere = (await readOptional(folder, META_FILE)) !== undefined;
  if (isThere && (await readMeta(folder)).softwareVersion === (head.softwareVersion ?? '')) return;
  await recordFacts(source, folder, head.latestHeight, signal);
}

function checkStart(folder: string, writer: CaptureWriter, position: RawCacheOptions['position']): void {
  const first = writer.firstHeight();
  const next = writer.nextHeight();
  if (first === undefined || next === undefined || position === undefined) return;
  const missing = position.height - next + 1;
  if (missing <= MAX_MISSING_HEIGHTS) return;
  throw new StrataError(
    'config_invalid',
    `the raw cache ${folder} ends at height ${next - 1}, and the store at ${position.height}: record what is between ` +
      `(strata capture --capture ${folder} --to ${position.height}, with the same --rpc), or give another folder`,
  );
}

function prunedGap(folder: string, fromHeight: number, toHeight: number): StrataError {
  return new StrataError(
    'height_pruned',
    `the raw cache ${folder} lacks heights ${fromHeight} to ${toHeight}, and no node has them any more (or give --keep-raw another folder)`,
    { height: fromHeight },
  );
}

function writeFailed(folder: string, error: unknown): StrataError {
  if (isStrataError(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `the raw cache ${folder} cannot be written: ${reason}`;
  return new StrataError(isDiskFull(error) ? 'disk_full' : 'capture_invalid', message, { cause: error });
}
