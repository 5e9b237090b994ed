import { formatTimeNs } from 'strata-kit/time';
import { latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { quote } from '../../store/sql.ts';
import { LIQUIDATIONS, REDEMPTION_POOLS, TIER_PAYMENTS, WATERFALL_TIERS } from './tables.ts';

/** AssetLiquidation of api.md, but for the asset's own id and status. */
export interface WaterfallJson {
  /** By tier. */
  readonly waterfall: readonly {
    readonly tier: number;
    readonly kind_id: number;
    readonly cap: string;
    readonly cumulative_paid: Readonly<Record<string, string>>;
  }[];
  readonly liquidation: {
    readonly denom: string;
    readonly initiator: string;
    readonly began_height: number;
    readonly began_at: string;
    readonly pool: string;
    readonly closed_height: number | null;
  } | null;
  /** By kind. */
  readonly redemption_pools: readonly {
    readonly kind_id: number;
    readonly denom: string;
    readonly amount: string;
    readonly units: string;
    readonly remaining_amount: string;
    readonly remaining_units: string;
  }[];
}

/** What an asset's waterfall is and has paid; empty for an asset without one. */
export async function waterfallOf(
  context: Pick<RouteContext, 'snapshot' | 'query'>,
  assetId: string,
): Promise<WaterfallJson> {
  const where = `asset_id = ${quote(assetId)}`;
  const [tiers, payments, [liquidation], pools] = await Promise.all([
    latestRows(context, WATERFALL_TIERS, ['tier', 'kind_id', 'cap', 'dropped'], where),
    latestRows(context, TIER_PAYMENTS, ['tier', 'denom', 'cumulative_paid'], where),
    latestRows(
      context,
      LIQUIDATIONS,
      ['denom', 'initiator', 'began_height', 'began_ns', 'pool', 'closed_height'],
      where,
    ),
    latestRows(
      context,
      REDEMPTION_POOLS,
      ['kind_id', 'denom', 'amount', 'units', 'remaining_amount', 'remaining_units'],
      where,
    ),
  ]);
  const paid = new Map<number, Record<string, string>>();
  for (const { tier, denom, cumulative_paid } of payments) {
    paid.set(tier, { ...paid.get(tier), [denom]: String(cumulative_paid) });
  }
  return {
    waterfall: tiers
      .filter(({ dropped }) => !dropped)
      .map(({ tier, kind_id, cap }) => ({
        tier,
        kind_id,
        cap: String(cap),
        cumulative_paid: paid.get(tier) ?? {},
      })),
    liquidation:
      liquidation === undefined
        ? null
        : {
            denom: liquidation.denom,
            initiator: liquidation.initiator,
            began_height: liquidation.began_height,
            began_at: formatTimeNs(liquidation.began_ns),
            pool: String(liquidation.pool),
            closed_height: liquidation.closed_height || null,
          },
    redemption_pools: pools.map((row) => ({
      kind_id: row.kind_id,
      denom: row.denom,
      amount: String(row.amount),
      units: String(row.units),
      remaining_amount: String(row.remaining_amount),
      remaining_units: String(row.remaining_units),
    })),
  };
}
