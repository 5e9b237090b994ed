import type { Clock } from '../../core/clock.ts';
import { parseTimeNs } from '../../core/time.ts';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Indexer } from '../indexer.ts';

/** Mid prices of pools, by the indexer, and never old ones. */
export interface Market {
  /**
   * Stable base units a whole share; null: nobody has made a pool, or it is empty. Errors: AppError unavailable when the
   * indexer does not answer, or is behind the chain.
   */
  mid(assetId: string): Promise<bigint | null>;
}

export interface MarketOptions {
  readonly chain: Chain;
  readonly indexer: Indexer;
  readonly clock: Clock;
  /** How far the indexed head may be behind the chain's newest block, by their times; 30,000. */
  readonly maxLagMs?: number;
  /** How long an answer is used again; 1,000. */
  readonly cacheMs?: number;
}

export function createMarket(options: MarketOptions): Market {
  const { chain, indexer, clock, maxLagMs = 30_000, cacheMs = 1_000 } = options;
  const asked = new Map<string, { readonly atMs: number; readonly mid: Promise<bigint | null> }>();

  async function ask(assetId: string): Promise<bigint | null> {
    const [answer, { timeNs }] = await Promise.all([
      indexer.get(`/v1/prices/${assetId}?range=1d`),
      chain.node.status(),
    ]);
    if (answer === undefined) return null;
    const { price, as_of } = answer as { readonly price?: unknown; readonly as_of?: unknown };
    const indexedNs = parseTimeNs(String(as_of));
    if (!/^\d{1,77}$/.test(String(price)) || indexedNs === undefined) {
      throw new AppError('unavailable', 'the indexer answers a price with something else');
    }
    if (timeNs - indexedNs > BigInt(maxLagMs) * 1_000_000n) {
      throw new AppError('unavailable', 'the indexer is behind the chain: prices would be old ones');
    }
    const mid = BigInt(String(price));
    return mid === 0n ? null : mid;
  }

  return {
    mid(assetId) {
      const known = asked.get(assetId);
      if (known !== undefined && clock.nowMs() - known.atMs < cacheMs) return known.mid;
      const mid = ask(assetId);
      asked.set(assetId, { atMs: clock.nowMs(), mid });
      // a failure is told to all who wait for it, and asked anew
      mid.catch(() => asked.delete(assetId));
      return mid;
    },
  };
}
