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
    tierRows.append({
      asset_id: waterfall.assetId,
      tier,
      height,
      kind_id: spec?.kindId ?? kindBefore,
      cap: spec?.cap ?? 0n,
      dropped: spec === undefined,
    });
  };

  const appendPayment = (waterfall: Waterfall, tier: number, denom: string, height: number): void => {
    paymentRows.append({
      asset_id: waterfall.assetId,
      tier,
      denom,
      height,
      cumulative_paid: paidOf(waterfall, tier, denom),
    });
  };

  const appendLiquidation = ({ assetId, liquidation }: Waterfall, height: number): void => {
    if (liquidation === undefined) return;
    liquidationRows.append({
      asset_id: assetId,
      height,
      denom: liquidation.denom,
      initiator: liquidation.initiator,
      began_height: liquidation.beganHeight,
      began_ns: liquidation.beganNs,
      pool: liquidation.pool,
      closed_height: liquidation.closedHeight,
    });
  };

  const appendPool = ({ assetId, pools }: Waterfall, kindId: number, height: number): void => {
    const pool = pools.get(kindId);
    if (pool === undefined) return;
    poolRows.append({
      asset_id: assetId,
      kind_id: kindId,
      height,
      denom: pool.denom,
      amount: pool.amount,
      units: pool.units,
      remaining_amount: pool.remainingAmount,
      remaining_units: pool.remainingUnits,
    });
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
    const waterfall = of(row.asset_id);
    const tier = { tier: row.tier, kindId: row.kind_id, cap: row.cap };
    const isDropped = row.dropped;
    // by number, as the rows come
    if (!isDropped) waterfall.tiers = [...waterfall.tiers, tier];
  });
  await versions.latest(TIER_PAYMENTS, ['asset_id', 'tier', 'denom', 'cumulative_paid'], (row) => {
    const waterfall = of(row.asset_id);
    const tier = row.tier;
    setPaid(waterfall, tier, row.denom, row.cumulative_paid);
  });
  await versions.latest(
    LIQUIDATIONS,
    ['asset_id', 'denom', 'initiator', 'began_height', 'began_ns', 'pool', 'closed_height'],
    (row) => {
      of(row.asset_id).liquidation = {
        denom: row.denom,
        initiator: row.initiator,
        beganHeight: row.began_height,
        beganNs: row.began_ns,
        pool: row.pool,
        closedHeight: row.closed_height,
      };
    },
  );
  await versions.latest(
    REDEMPTION_POOLS,
    ['asset_id', 'kind_id', 'denom', 'amount', 'units', 'remaining_amount', 'remaining_units'],
    (row) => {
      const waterfall = of(row.asset_id);
      waterfall.pools.set(row.kind_id, {
        denom: row.denom,
        amount: row.amount,
        units: row.units,
        remainingAmount: row.remaining_amount,
        remainingUnits: row.remaining_units,
      });
    },
  );
}
