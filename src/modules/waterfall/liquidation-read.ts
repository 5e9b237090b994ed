import { formatTimeNs } from 'strata-kit/time';
import { latestVersions } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
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
  { snapshot, query }: Pick<RouteContext, 'snapshot' | 'query'>,
  assetId: string,
): Promise<WaterfallJson> {
  const where = `asset_id = ${quote(assetId)}`;
  const [tierRows, paymentRows, liquidationRows, poolRows] = await Promise.all([
    query(latestVersions(snapshot, WATERFALL_TIERS, 'tier, kind_id, cap, dropped', where)),
    query(latestVersions(snapshot, TIER_PAYMENTS, 'tier, toString(denom), cumulative_paid', where)),
    query(
      latestVersions(
        snapshot,
        LIQUIDATIONS,
        'toString(denom), initiator, began_height, began_ns, pool, closed_height',
        where,
      ),
    ),
    query(
      latestVersions(
        snapshot,
        REDEMPTION_POOLS,
        'kind_id, toString(denom), amount, units, remaining_amount, remaining_units',
        where,
      ),
    ),
  ]);
  const paid = new Map<number, Record<string, string>>();
  for (const { tier, denom, amount } of readAll(paymentRows, (row) => ({
    tier: row.u32(),
    denom: row.string(),
    amount: String(row.i256()),
  }))) {
    paid.set(tier, { ...paid.get(tier), [denom]: amount });
  }
  const tiers = readAll(tierRows, (row) => ({
    tier: row.u32(),
    kind_id: row.u32(),
    cap: String(row.i256()),
    isDropped: row.bool(),
  }));
  const [liquidation] = readAll(liquidationRows, (row) => ({
    denom: row.string(),
    initiator: row.string(),
    began_height: row.u64(),
    began_at: formatTimeNs(row.i64big()),
    pool: String(row.i256()),
    closed_height: row.u64() || null,
  }));
  return {
    waterfall: tiers
      .filter(({ isDropped }) => !isDropped)
      .map(({ isDropped: _, ...tier }) => ({ ...tier, cumulative_paid: paid.get(tier.tier) ?? {} })),
    liquidation: liquidation ?? null,
    redemption_pools: readAll(poolRows, (row) => ({
      kind_id: row.u32(),
      denom: row.string(),
      amount: String(row.i256()),
      units: String(row.i256()),
      remaining_amount: String(row.i256()),
      remaining_units: String(row.i256()),
    })),
  };
}
