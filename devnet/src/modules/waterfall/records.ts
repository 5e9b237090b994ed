import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { collection } from '../../state/state.ts';

export interface Tier {
  readonly tier: number;
  readonly kindId: number;
  /** 0: none. */
  readonly cap: bigint;
  /** In the liquidation's denom, since it began. */
  readonly paid: bigint;
}

export interface Liquidation {
  readonly denom: string;
  readonly initiator: string;
  /** Funded, and paid neither to tiers nor back. */
  readonly pool: bigint;
  readonly beganHeight: number;
  readonly beganAtNs: bigint;
  /** 0 while open. */
  readonly closedHeight: number;
}

/** What a kind's units are redeemed for. */
export interface RedemptionPool {
  readonly kindId: number;
  readonly amount: bigint;
  /** The supply at the opening. */
  readonly units: bigint;
  readonly remainingAmount: bigint;
  readonly remainingUnits: bigint;
}

export interface Waterfall {
  readonly assetId: string;
  /** By number. */
  readonly tiers: readonly Tier[];
  readonly liquidation: Liquidation | null;
  /** In the order of their opening. */
  readonly pools: readonly RedemptionPool[];
}

/** By asset id. */
export const waterfalls = collection<Waterfall>('waterfall/waterfalls');

export function tierJson({ tier, kindId, cap }: Omit<Tier, 'paid'>): JsonObject {
  return { tier, kind_id: kindId, cap: String(cap) };
}

export function waterfallJson({ assetId, tiers, liquidation, pools }: Waterfall): JsonObject {
  const denom = liquidation?.denom ?? '';
  return {
    asset_id: assetId,
    tiers: tiers.map(tierJson),
    paid: tiers
      .filter(({ paid }) => paid > 0n)
      .map(({ tier, kindId, paid }) => ({ tier, kind_id: kindId, denom, cumulative_paid: String(paid) })),
    ...(liquidation && { liquidation: liquidationJson(liquidation) }),
    pools: pools.map((pool) => ({
      kind_id: pool.kindId,
      denom,
      amount: String(pool.amount),
      units: String(pool.units),
      remaining_amount: String(pool.remainingAmount),
      remaining_units: String(pool.remainingUnits),
    })),
  };
}

function liquidationJson(liquidation: Liquidation): JsonObject {
  return {
    denom: liquidation.denom,
    initiator: liquidation.initiator,
    pool: String(liquidation.pool),
    began_height: String(liquidation.beganHeight),
    began_at: formatTimeNs(liquidation.beganAtNs),
    closed_height: String(liquidation.closedHeight),
  };
}
