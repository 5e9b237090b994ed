import type { DerivationSetup, VersionReader } from '../../derive/derivation.ts';
import { newWaterfall, paidOf, setPaid, type Waterfall } from './records.ts';
import { LIQUIDATIONS, REDEMPTION_POOLS, TIER_PAYMENTS, WATERFALL_TIERS } from './tables.ts';

/** Notes what a block changes, and appends a version of each at its end. */
export interface VersionWriter {
  tier(waterfall: Waterfall, tier: number): void;
  payment(waterfall: Waterfall, tier: number, denom: string): void;
  liquidation(waterfall: Waterfall): void;
  pool(waterfall: Waterfall, kindId: number): void;
  write(height: number): void;
}

interface Changes {
  readonly tiers: Map<number, number>;
  /** By tier, its denoms. */
  readonly payments: Map<number, Set<string>>;
  readonly pools: Set<number>;
  isLiquidation: boolean;
}

export function versionWriter(setup: DerivationSetup): VersionWriter {
  const tierRows = setup.table(WATERFALL_TIERS);
  const paymentRows = setup.table(TIER_PAYMENTS);
  const liquidationRows = setup.table(LIQUIDATIONS);
  const poolRows = setup.table(REDEMPTION_POOLS);
  const changed = new Map<Waterfall, Changes>();

  const of = (waterfall: Waterfall): Changes => {
    const changes = changed.get(waterfall) ?? {
      tiers: new Map(),
      payments: new Map(),
      pools: new Set(),
      isLiquidation: false,
    };
    changed.set(waterfall, changes);
    return changes;
  };

  const appendTier = (waterfall: Waterfall, tier: number, kindBefore: number, height: number): void => {
    const spec = waterfall.tiers.find((each) => each.tier === tier);
    const { columns } = tierRows;
    columns.asset_id.text(waterfall.assetId);
    columns.tier.u32(tier);
    columns.height.u64(height);
    columns.kind_id.u32(spec?.kindId ?? kindBefore);
    columns.cap.i256(spec?.cap ?? 0n);
    columns.dropped.u8(spec === undefined ? 1 : 0);
    tierRows.rows++;
  };

  const appendPayment = (waterfall: Waterfall, tier: number, denom: string, height: number): void => {
    const { columns } = paymentRows;
    columns.asset_id.text(waterfall.assetId);
    columns.tier.u32(tier);
    columns.denom.text(denom);
    columns.height.u64(height);
    columns.cumulative_paid.i256(paidOf(waterfall, tier, denom));
    paymentRows.rows++;
  };

  const appendLiquidation = ({ assetId, liquidation }: Waterfall, height: number): void => {
    if (liquidation === undefined) return;
    const { columns } = liquidationRows;
    columns.asset_id.text(assetId);
    columns.height.u64(height);
    columns.denom.text(liquidation.denom);
    columns.initiator.text(liquidation.initiator);
    columns.began_height.u64(liquidation.beganHeight);
    columns.began_ns.i64big(liquidation.beganNs);
    columns.pool.i256(liquidation.pool);
    columns.closed_height.u64(liquidation.closedHeight);
    liquidationRows.rows++;
  };

  const appendPool = ({ assetId, pools }: Waterfall, kindId: number, height: number): void => {
    const pool = pools.get(kindId);
    if (pool === undefined) return;
    const { columns } = poolRows;
    columns.asset_id.text(assetId);
    columns.kind_id.u32(kindId);
    columns.height.u64(height);
    columns.denom.text(pool.denom);
    columns.amount.i256(pool.amount);
    columns.units.i256(pool.units);
    columns.remaining_amount.i256(pool.remainingAmount);
    columns.remaining_units.i256(pool.remainingUnits);
    poolRows.rows++;
  };

  return {
    tier(waterfall, tier) {
      const kindId = waterfall.tiers.find((each) => each.tier === tier)?.kindId ?? 0;
      of(waterfall).tiers.set(tier, kindId);
    },
    payment(waterfall, tier, denom) {
      const { payments } = of(waterfall);
      payments.set(tier, (payments.get(tier) ?? new Set()).add(denom));
    },
    liquidation(waterfall) {
      of(waterfall).isLiquidation = true;
    },
    pool(waterfall, kindId) {
      of(waterfall).pools.add(kindId);
    },
    write(height) {
      for (const [waterfall, { tiers, payments, pools, isLiquidation }] of changed) {
        for (const [tier, kindId] of tiers) appendTier(waterfall, tier, kindId, height);
        for (const [tier, denoms] of payments)
          for (const denom of denoms) appendPayment(waterfall, tier, denom, height);
        for (const kindId of pools) appendPool(waterfall, kindId, height);
        if (isLiquidation) appendLiquidation(waterfall, height);
      }
      changed.clear();
    },
  };
}

export async function restoreWaterfalls(
  waterfalls: Map<string, Waterfall>,
  versions: VersionReader,
): Promise<void> {
  const of = (assetId: string): Waterfall => {
    const waterfall = waterfalls.get(assetId) ?? newWaterfall(assetId);
    waterfalls.set(assetId, waterfall);
    return waterfall;
  };
  await versions.latest(WATERFALL_TIERS, ['asset_id', 'tier', 'kind_id', 'cap', 'dropped'], (row) => {
    const waterfall = of(row.string());
    const tier = { tier: row.u32(), kindId: row.u32(), cap: row.i256() };
    const isDropped = row.bool();
    // by number, as the rows come
    if (!isDropped) waterfall.tiers = [...waterfall.tiers, tier];
  });
  await versions.latest(TIER_PAYMENTS, ['asset_id', 'tier', 'denom', 'cumulative_paid'], (row) => {
    const waterfall = of(row.string());
    const tier = row.u32();
    setPaid(waterfall, tier, row.string(), row.i256());
  });
  await versions.latest(
    LIQUIDATIONS,
    ['asset_id', 'denom', 'initiator', 'began_height', 'began_ns', 'pool', 'closed_height'],
    (row) => {
      of(row.string()).liquidation = {
        denom: row.string(),
        initiator: row.string(),
        beganHeight: row.u64(),
        beganNs: row.i64big(),
        pool: row.i256(),
        closedHeight: row.u64(),
      };
    },
  );
  await versions.latest(
    REDEMPTION_POOLS,
    ['asset_id', 'kind_id', 'denom', 'amount', 'units', 'remaining_amount', 'remaining_units'],
    (row) => {
      const waterfall = of(row.string());
      waterfall.pools.set(row.u32(), {
        denom: row.string(),
        amount: row.i256(),
        units: row.i256(),
        remainingAmount: row.i256(),
        remainingUnits: row.i256(),
      });
    },
  );
}
