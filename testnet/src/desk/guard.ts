import { COIN, type DeskRisk } from 'strata-kit/desk-risk';
import type { PoolPrice } from './market.ts';
import { MAX_TRADE } from './quote.ts';
import type { Refusal } from './refusals.ts';

/** Whether a pool's price may be followed now (docs/desk.md, "What bounds a loss"). */

/** Why the desk does not quote by this pool; undefined when it does. */
export function priceRefusal(
  { mid, mean, stableReserve }: PoolPrice,
  { deviationPercent, minReserve }: DeskRisk,
): Refusal | undefined {
  if (stableReserve < minReserve) {
    const text = `the pool holds less than ${coins(minReserve)} of the stable coin, too little for a safe price`;
    return { reason: 'shallow_pool', text };
  }
  const [off, percent] = [mid > mean ? mid - mean : mean - mid, BigInt(deviationPercent)];
  if (off * 100n > mean * percent) {
    const text = `the pool's price is more than ${percent} % off its mean of the last 30 minutes: wait until it is steady`;
    return { reason: 'unsteady_price', text };
  }
  return undefined;
}

/** The largest trade by this pool, in stable base units. */
export function largestTrade({ stableReserve }: PoolPrice, { poolPercent }: DeskRisk): bigint {
  const byPool = (stableReserve * BigInt(poolPercent)) / 100n;
  if (byPool > MAX_TRADE) return MAX_TRADE;
  return byPool;
}

/** `25,000` */
export function coins(amount: bigint): string {
  return String(amount / COIN).replace(/\B(?=(\d{3})+$)/g, ',');
}
