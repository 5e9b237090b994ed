import { floorDiv } from '../../core/floor-div.ts';
import { int256 } from '../../derive/int256.ts';
import type { Tier } from './events.ts';
import type { RedemptionPool } from './records.ts';

/** What rule 10 of modules.md reckons. */

/** A payment to a tier, and into the redemption pool of the tier's kind. */
export interface Payment {
  readonly tier: number;
  readonly kindId: number;
  readonly amount: bigint;
  readonly cumulativePaid: bigint;
  /** What is left to pay after it. */
  readonly poolAfter: bigint;
}

/**
 * How tiers share a pool: in their order, each up to its cap, passing over those whose kind has no supply.
 * `paidOf`: what a tier was paid before.
 */
export function sharesOf(
  tiers: readonly Tier[],
  pool: bigint,
  paidOf: (tier: number) => bigint,
  supplyOf: (kindId: number) => bigint,
): readonly Payment[] {
  const payments: Payment[] = [];
  let left = pool;
  for (const { tier, kindId, cap } of tiers) {
    const before = paidOf(tier);
    const room = cap - before;
    const amount = supplyOf(kindId) === 0n ? 0n : cap === 0n || room > left ? left : room;
    if (amount <= 0n) continue;
    left -= amount;
    payments.push({ tier, kindId, amount, cumulativePaid: int256(before + amount), poolAfter: left });
  }
  return payments;
}

/** A pool with more in it. A new one is for the whole supply; a top-up leaves the units as they are. */
export function toppedUp(
  pool: RedemptionPool | undefined,
  denom: string,
  amount: bigint,
  supply: bigint,
): RedemptionPool {
  if (pool === undefined) {
    return { denom, amount, units: supply, remainingAmount: amount, remainingUnits: supply };
  }
  return {
    ...pool,
    amount: int256(pool.amount + amount),
    remainingAmount: int256(pool.remainingAmount + amount),
  };
}

/** What units are redeemed for: their share of what is left, rounded down; nothing where no units are left. */
export function shareOfUnits({ remainingAmount, remainingUnits }: RedemptionPool, units: bigint): bigint {
  return remainingUnits === 0n ? 0n : int256(floorDiv(remainingAmount * units, remainingUnits));
}

export function redeemed(pool: RedemptionPool, units: bigint, amount: bigint): RedemptionPool {
  return {
    ...pool,
    remainingAmount: int256(pool.remainingAmount - amount),
    remainingUnits: int256(pool.remainingUnits - units),
  };
}
