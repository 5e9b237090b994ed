import { floorDiv } from '../../core/floor-div.ts';

/**
 * The formulas of income (modules.md rules 3 to 5), pure and in BigInt, since an index has no bound: what derivation
 * writes down and what answers compute from it. Units may be negative after lies of the chain: every quotient is rounded
 * down.
 */

/** Scale of the index and of the carry. */
export const SCALE = 10n ** 18n;

export interface IndexState {
  /** Income per unit since the beginning, × 10^18. */
  readonly index: bigint;
  /** Remainder for the next distribution, × 10^18, less than the supply that it met. */
  readonly carryScaled: bigint;
}

/** Rule 3. Of a supply of 0, which no chain distributes to, everything is carried. */
export function distribute({ index, carryScaled }: IndexState, amount: bigint, supply: bigint): IndexState {
  const scaled = amount * SCALE + carryScaled;
  if (supply === 0n) return { index, carryScaled: scaled };
  const perUnit = floorDiv(scaled, supply);
  return { index: index + perUnit, carryScaled: scaled - perUnit * supply };
}

/** Rule 4: what a basis has earned since it was settled. */
export function pendingIncome(units: bigint, index: bigint, lastIndex: bigint): bigint {
  return floorDiv(units * (index - lastIndex), SCALE);
}

export interface AccrualTotals {
  readonly carryScaled: bigint;
  readonly totalDistributed: bigint;
  readonly totalPaid: bigint;
}

/** Rule 5. */
export function accrualValues(
  { carryScaled, totalDistributed, totalPaid }: AccrualTotals,
  sumClaimable: bigint,
): { readonly moduleHeld: bigint; readonly carry: bigint; readonly residue: bigint } {
  const moduleHeld = totalDistributed - totalPaid;
  const carry = floorDiv(carryScaled, SCALE);
  return { moduleHeld, carry, residue: moduleHeld - sumClaimable - carry };
}
