import type { RawRange } from '../chain/source.ts';
import type { DecodeContext, DecodedRange } from '../decode/range.ts';
import { createDecodePool, type DecodePool } from './decode-pool.ts';

/** Asks the chain for its descriptors again; undefined when the answer brings nothing new. */
export type RefreshDescriptors = (height: number) => Promise<DecodeContext | undefined>;

/** The decode pool with what changes over a run: descriptor sets, and the mean size of a block. */
export interface DecodeStage {
  /** Like DecodePool.decode; a range with unknown type URLs is decoded again when the chain has newer descriptors. */
  decode(range: RawRange): Promise<DecodedRange>;
  /** Asks for newer descriptors now, e.g. after the node's software changed. */
  refresh(height: number): Promise<void>;
  readonly meanBlockBytes: number;
  close(): Promise<void>;
}

/** Before the first range is known: a guess that keeps the first requests small. */
const FIRST_GUESS_BYTES = 40_000;

export function createDecodeStage(
  context: DecodeContext,
  workers: number,
  refreshDescriptors: RefreshDescriptors,
): DecodeStage {
  let pool: DecodePool = createDecodePool(context, workers);
  let meanBlockBytes = FIRST_GUESS_BYTES;
  /** Asked in vain: not asked again for the same type. */
  const givenUp = new Set<string>();
  let refreshing: Promise<boolean> | undefined;

  const refresh = (height: number): Promise<boolean> => {
    refreshing ??= refreshDescriptors(height)
      .then(async (newer) => {
        if (newer === undefined) return false;
        const old = pool;
        pool = createDecodePool(newer, workers);
        givenUp.clear();
        retired.push(old);
        return true;
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };
  const retired: DecodePool[] = [];

  return {
    async decode(range) {
      // kept for a second decoding only where one may be needed: the pool takes the bytes away
      const decoded = await pool.decode(range);
      const blocks = decoded.headers.length;
      meanBlockBytes += (decoded.rawBytes / blocks - meanBlockBytes) * (blocks / (blocks + 100));
      const unknown = decoded.unknownTypeUrls.filter((typeUrl) => !givenUp.has(typeUrl));
      if (unknown.length > 0) {
        const newer = await refresh(decoded.fromHeight);
        if (newer) throw new NewDescriptors();
        for (const typeUrl of unknown) givenUp.add(typeUrl);
      }
      return decoded;
    },
    async refresh(height) {
      await refresh(height);
    },
    get meanBlockBytes() {
      return meanBlockBytes;
    },
    async close() {
      await Promise.all([pool, ...retired].map((each) => each.close()));
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
