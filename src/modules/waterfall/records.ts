import type { Tier } from './events.ts';

/** An asset's tiers, what they were paid, its liquidation and its redemption pools. */
export interface Waterfall {
  readonly assetId: string;
  /** By number. */
  tiers: readonly Tier[];
  /** By tier and denom, what was paid in all. */
  readonly paid: Map<number, Map<string, bigint>>;
  liquidation: Liquidation | undefined;
  /** By kind. */
  readonly pools: Map<number, RedemptionPool>;
}

export interface Liquidation {
  readonly denom: string;
  readonly initiator: string;
  readonly beganHeight: number;
  readonly beganNs: bigint;
  /** Funded, and paid neither to tiers nor back. */
  readonly pool: bigint;
  /** 0 while it runs. */
  readonly closedHeight: number;
}

/** What a kind's units are redeemed for. */
export interface RedemptionPool {
  readonly denom: string;
  readonly amount: bigint;
  /** The kind's supply at the opening. */
  readonly units: bigint;
  readonly remainingAmount: bigint;
  readonly remainingUnits: bigint;
}

export function newWaterfall(assetId: string): Waterfall {
  return { assetId, tiers: [], paid: new Map(), liquidation: undefined, pools: new Map() };
}

export function paidOf({ paid }: Waterfall, tier: number, denom: string): bigint {
  return paid.get(tier)?.get(denom) ?? 0n;
}

export function setPaid({ paid }: Waterfall, tier: number, denom: string, amount: bigint): void {
  const byDenom = paid.get(tier) ?? new Map<string, bigint>();
  paid.set(tier, byDenom.set(denom, amount));
}
