import type { Clock } from 'strata-kit/clock';
import { parseTimeNs } from 'strata-kit/time';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Indexer } from '../indexer.ts';

/** A pool as of the indexed head. */
export interface PoolPrice {
  /** Stable base units a whole share; above 0. */
  readonly mid: bigint;
  /** The same, as the time-weighted mean of the last 30 minutes. */
  readonly mean: bigint;
  /** Stable base units. */
  readonly stableReserve: bigint;
}

/** Prices of pools, by the indexer, and never old ones. */
export interface Market {
  /**
   * Null: nobody has made a pool, or it is empty. Errors: AppError unavailable when the indexer does not answer, or is
   * behind the chain.
   */
  pool(assetId: string): Promise<PoolPrice | null>;
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
  const asked = new Map<string, { readonly atMs: number; readonly price: Promise<PoolPrice | null> }>();

  async function ask(assetId: string): Promise<PoolPrice | null> {
    const [answer, { timeNs }] = await Promise.all([
      indexer.get(`/v1/x/prices/${assetId}/mean`),
      chain.node.status(),
    ]);
    if (answer === undefined) return null;
    const { price, mean_price, reserves, as_of } = answer as {
      readonly price?: unknown;
      readonly mean_price?: unknown;
      readonly reserves?: { readonly quote?: unknown };
      readonly as_of?: unknown;
    };
    const [mid, mean, stableReserve] = [price, mean_price, reserves?.quote].map(wholeNumber);
    const indexedNs = parseTimeNs(String(as_of));
    if (mid === undefined || mean === undefined || stableReserve === undefined || indexedNs === undefined) {
      throw new AppError('unavailable', 'the indexer answers a price with something else');
    }
    if (timeNs - indexedNs > BigInt(maxLagMs) * 1_000_000n) {
      throw new AppError('unavailable', 'the indexer is behind the chain: prices would be old ones');
    }
    return mid === 0n ? null : { mid, mean, stableReserve };
  }

  return {
    pool(assetId) {
      const known = asked.get(assetId);
      if (known !== undefined && clock.nowMs() - known.atMs < cacheMs) return known.price;
      const price = ask(assetId);
      asked.set(assetId, { atMs: clock.nowMs(), price });
      // a failure is told to all who wait for it, and asked anew
      price.catch(() => asked.delete(assetId));
      return price;
    },
  };
}

function wholeNumber(value: unknown): bigint | undefined {
  return /^\d{1,77}$/.test(String(value)) ? BigInt(String(value)) : undefined;
}
