import type { RawRange } from '../chain/source.ts';
import type { DecodeContext, DecodedRange, SalvageWish } from '../decode/range.ts';
import type { DecodePool } from './decode-pool.ts';
import { type Threads, WORKER_THREADS } from './threads.ts';

/** Asks the chain again what decoding depends on; undefined when the answer brings nothing new. */
export type RefreshDescriptors = (height: number) => Promise<DecodeContext | undefined>;

/** The decode pool with what changes over a run: descriptor sets, and the mean size of a block. */
export interface DecodeStage {
  /** Like DecodePool.decode; a range with unknown type URLs is decoded again when the chain has newer descriptors. */
  decode(range: RawRange, salvage?: SalvageWish): Promise<DecodedRange>;
  /** Asks for newer descriptors now, as after the node's software changed. */
  refresh(height: number): Promise<void>;
  /** A guess before the first range is decoded; then what to reckon with: the mean, or the last range's if greater. */
  readonly meanBlockBytes: number;
  /** Blocks in the largest range decoded so far; 0 before the first. */
  readonly largestRangeBlocks: number;
  close(): Promise<void>;
}

/** A hostile chain may print a new event type in every block: the chain is not asked for ever. */
const MAX_GIVEN_UP = 1_000;

/** Before the first range is known: a guess that keeps the first requests small. */
const FIRST_GUESS_BYTES = 40_000;

export function createDecodeStage(
  context: DecodeContext,
  workers: number,
  refreshDescriptors: RefreshDescriptors,
  threads: Pick<Threads, 'createDecodePool'> = WORKER_THREADS,
): DecodeStage {
  let pool: DecodePool = threads.createDecodePool(context, workers);
  let meanBlockBytes = FIRST_GUESS_BYTES;
  let lastBlockBytes = 0;
  let largestRangeBlocks = 0;
  /** Asked in vain: not asked again for the same type. */
  const givenUp = new Set<string>();
  let refreshing: Promise<void> | undefined;
  const retiring = new Set<Promise<void>>();

  const retire = (old: DecodePool): void => {
    const ended = old.retire().finally(() => retiring.delete(ended));
    retiring.add(ended);
  };
  const refresh = (height: number): Promise<void> => {
    refreshing ??= refreshDescriptors(height)
      .then((newer) => {
        if (newer === undefined) return;
        retire(pool);
        pool = threads.createDecodePool(newer, workers);
        givenUp.clear();
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };

  const weigh = ({ rawBytes, headers: { length: blocks } }: DecodedRange): void => {
    lastBlockBytes = rawBytes / blocks;
    const weight = largestRangeBlocks === 0 ? 1 : blocks / (blocks + 100);
    meanBlockBytes += (lastBlockBytes - meanBlockBytes) * weight;
    largestRangeBlocks = Math.max(largestRangeBlocks, blocks);
  };

  return {
    async decode(range, salvage) {
      const asked = pool;
      const decoded = await asked.decode(range, salvage);
      weigh(decoded);
      const unknown = decoded.unknownTypeUrls.filter((typeUrl) => !givenUp.has(typeUrl));
      if (unknown.length === 0 || givenUp.size >= MAX_GIVEN_UP) return decoded;
      // another range may have found the newer descriptors while this one was decoded with the old
      if (asked === pool) await refresh(decoded.fromHeight);
      // the pool took the bytes away
      if (asked !== pool) throw new NewDescriptors();
      for (const typeUrl of unknown) givenUp.add(typeUrl);
      return decoded;
    },
    refresh,
    get meanBlockBytes() {
      return Math.max(meanBlockBytes, lastBlockBytes);
    },
    get largestRangeBlocks() {
      return largestRangeBlocks;
    },
    async close() {
      await Promise.all([pool.close(), ...retiring]);
    },
  };
}

/** The range must be fetched and decoded again, with the descriptors that the chain has now. */
export class NewDescriptors extends Error {
  constructor() {
    super('the chain has newer descriptors');
    this.name = 'NewDescriptors';
  }
}
