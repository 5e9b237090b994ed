import { type Derivation, type EventContext, on } from '../../derive/derivation.ts';
import type { Compared } from '../../derive/fields.ts';
import { int256 } from '../../derive/int256.ts';
import { assetDerivation } from '../asset/derivation.ts';
import { rightsDerivation } from '../rights/derivation.ts';
import {
  FUNDED,
  LIQUIDATION_BEGAN,
  LIQUIDATION_CLOSED,
  POOL_OPENED,
  POOL_REDEEMED,
  TIER_PAID,
  WATERFALL_SET,
} from './events.ts';
import { type Payment, redeemed, shareOfUnits, sharesOf, toppedUp } from './payments.ts';
import { type Liquidation, newWaterfall, paidOf, setPaid, type Waterfall } from './records.ts';
import { LIQUIDATIONS, REDEMPTION_POOLS, TIER_PAYMENTS, WATERFALL_TIERS } from './tables.ts';
import { restoreWaterfalls, versionWriter } from './versions.ts';

const LIQUIDATING = 'ASSET_STATUS_LIQUIDATING';

interface OfAsset {
  readonly assetId: string;
}

/** Payments of a Fund whose events have not come yet. */
interface Awaited {
  /** Where the Fund is. */
  readonly txIndex: number;
  readonly eventIndex: number;
  readonly tiers: Payment[];
  readonly pools: Payment[];
}

/**
 * Waterfalls and liquidations (modules.md rule 10). A Fund's payments are derived at EventFunded. The events after it,
 * one a tier and one a pool, are compared with them. An event that does not come is one drift row at the block's end.
 */
export const waterfallDerivation: Derivation = {
  module: 'waterfall',
  tables: [WATERFALL_TIERS, TIER_PAYMENTS, LIQUIDATIONS, REDEMPTION_POOLS],
  reads: ['asset', 'rights'],
  open(setup) {
    const assets = setup.stateOf(assetDerivation);
    const rights = setup.stateOf(rightsDerivation);
    const writer = versionWriter(setup);
    const waterfalls = new Map<string, Waterfall>();
    /** Of this block's Funds, in their order. */
    const funds: Awaited[] = [];
    /** By asset, of its last Fund: events of one before it come no more. */
    const awaited = new Map<string, Awaited>();

    const changeLiquidation = (waterfall: Waterfall, values: Partial<Liquidation>): void => {
      if (waterfall.liquidation === undefined) return;
      waterfall.liquidation = { ...waterfall.liquidation, ...values };
      writer.liquidation(waterfall);
    };

    const pay = (waterfall: Waterfall, { denom }: Liquidation, payment: Payment): void => {
      const { assetId, pools } = waterfall;
      const { tier, kindId, amount, cumulativePaid } = payment;
      setPaid(waterfall, tier, denom, cumulativePaid);
      writer.payment(waterfall, tier, denom);
      const supply = rights.getKind(assetId, kindId)?.supply ?? 0n;
      pools.set(kindId, toppedUp(pools.get(kindId), denom, amount, supply));
      writer.pool(waterfall, kindId);
    };

    const fund = (waterfall: Waterfall, amount: bigint, told: Compared, context: EventContext): void => {
      const { assetId, liquidation, tiers } = waterfall;
      if (liquidation === undefined) return;
      const pool = int256(liquidation.pool + amount);
      context.compare('pool_after', pool, told);
      const payments = sharesOf(
        tiers,
        pool,
        (tier) => paidOf(waterfall, tier, liquidation.denom),
        (kindId) => rights.getKind(assetId, kindId)?.supply ?? 0n,
      );
      for (const payment of payments) pay(waterfall, liquidation, payment);
      changeLiquidation(waterfall, { pool: payments.at(-1)?.poolAfter ?? pool });
      const { txIndex, eventIndex } = context;
      const due = { txIndex, eventIndex, tiers: [...payments], pools: [...payments] };
      funds.push(due);
      awaited.set(assetId, due);
    };

    /** One row for each event that the block's Funds imply and that did not come. */
    const noteLost = (height: number): void => {
      for (const { txIndex, eventIndex, tiers, pools } of funds) {
        const at = { height, txIndex, eventIndex, field: 'amount', told: '' };
        for (const { amount } of tiers) setup.drift({ ...at, type: TIER_PAID.type, derived: String(amount) });
        for (const { amount } of pools)
          setup.drift({ ...at, type: POOL_OPENED.type, derived: String(amount) });
      }
    };

    const isLiquidating = ({ assetId }: OfAsset): boolean =>
      waterfalls.get(assetId)?.liquidation !== undefined;

    return {
      state: undefined,
      handlers: [
        on(
          WATERFALL_SET,
          ({ assetId, tiers }) => {
            const waterfall = waterfalls.get(assetId) ?? newWaterfall(assetId);
            waterfalls.set(assetId, waterfall);
            const byNumber = new Map(tiers.map((tier) => [tier.tier, tier]));
            for (const { tier } of waterfall.tiers) writer.tier(waterfall, tier);
            waterfall.tiers = [...byNumber.values()].sort((a, b) => a.tier - b.tier);
            for (const { tier } of waterfall.tiers) writer.tier(waterfall, tier);
          },
          ({ assetId }) => assets.getAsset(assetId) !== undefined,
        ),
        on(
          LIQUIDATION_BEGAN,
          ({ assetId, denom, initiator }, { height, timeNs, compare }) => {
            const waterfall = waterfalls.get(assetId);
            if (waterfall === undefined) return;
            if (waterfall.liquidation !== undefined) {
              compare('status', statusOf(waterfall.liquidation), 'ASSET_STATUS_ACTIVE');
              return;
            }
            const began = { beganHeight: height, beganNs: timeNs };
            waterfall.liquidation = { denom, initiator, ...began, pool: 0n, closedHeight: 0 };
            writer.liquidation(waterfall);
          },
          ({ assetId }) => (waterfalls.get(assetId)?.tiers.length ?? 0) > 0,
        ),
        on(
          FUNDED,
          ({ assetId, amount, poolAfter }, context) => {
            const waterfall = waterfalls.get(assetId);
            if (waterfall !== undefined && isOpen(waterfall, context))
              fund(waterfall, amount, poolAfter, context);
          },
          isLiquidating,
        ),
        on(
          TIER_PAID,
          ({ assetId, tier, amount, cumulativePaid, poolAfter }, { compare }) => {
            const waterfall = waterfalls.get(assetId);
            if (waterfall?.liquidation === undefined) return;
            const { denom, pool } = waterfall.liquidation;
            const payment = take(awaited.get(assetId)?.tiers, (each) => each.tier === tier);
            // a payment that was not due changes nothing
            const derived = payment ?? {
              amount: 0n,
              cumulativePaid: paidOf(waterfall, tier, denom),
              poolAfter: pool,
            };
            compare('amount', derived.amount, amount);
            compare('cumulative_paid', derived.cumulativePaid, cumulativePaid);
            compare('pool_after', derived.poolAfter, poolAfter);
          },
          ({ assetId, tier }) =>
            isLiquidating({ assetId }) &&
            waterfalls.get(assetId)?.tiers.some((each) => each.tier === tier) === true,
        ),
        on(
          POOL_OPENED,
          ({ assetId, kindId, amount, remainingUnits }, { compare }) => {
            const payment = take(awaited.get(assetId)?.pools, (each) => each.kindId === kindId);
            compare('amount', payment?.amount ?? 0n, amount);
            const pool = waterfalls.get(assetId)?.pools.get(kindId);
            compare('remaining_units', pool?.remainingUnits ?? 0n, remainingUnits);
          },
          ({ assetId, kindId }) => waterfalls.get(assetId)?.pools.has(kindId) === true,
        ),
        on(
          POOL_REDEEMED,
          ({ assetId, kindId, units, amount, poolAfter }, { compare, noteUnknown }) => {
            const waterfall = waterfalls.get(assetId);
            const pool = waterfall?.pools.get(kindId);
            if (waterfall === undefined || pool === undefined) {
              noteUnknown();
              return;
            }
            const share = shareOfUnits(pool, units);
            const left = redeemed(pool, units, share);
            compare('amount', share, amount);
            compare('pool_after', left.remainingAmount, poolAfter);
            waterfall.pools.set(kindId, left);
            writer.pool(waterfall, kindId);
          },
          // the units move whether the pool is known or not (modules.md rule 0)
          ({ assetId, kindId }) => assets.getKind(assetId, kindId) !== undefined,
        ),
        on(
          LIQUIDATION_CLOSED,
          ({ assetId, returned }, context) => {
            const waterfall = waterfalls.get(assetId);
            if (waterfall === undefined || !isOpen(waterfall, context)) return;
            context.compare('returned', waterfall.liquidation?.pool ?? 0n, returned);
            changeLiquidation(waterfall, { pool: 0n, closedHeight: context.height });
          },
          isLiquidating,
        ),
      ],
      endBlock({ height }) {
        writer.write(height);
        noteLost(height);
        funds.length = 0;
        awaited.clear();
      },
      restore: (versions) => restoreWaterfalls(waterfalls, versions),
    };
  },
};

/** One that was closed stays as it was closed: what goes on of it tells another status. */
function isOpen({ liquidation }: Waterfall, { compare }: EventContext): boolean {
  if (liquidation === undefined) return false;
  compare('status', statusOf(liquidation), LIQUIDATING);
  return liquidation.closedHeight === 0;
}

/** What a liquidation makes of its asset's status. */
function statusOf({ closedHeight }: Liquidation): string {
  return closedHeight === 0 ? LIQUIDATING : 'ASSET_STATUS_LIQUIDATED';
}

/** Takes the first that fits out of a list. */
function take<T>(list: T[] | undefined, fits: (item: T) => boolean): T | undefined {
  const at = list?.findIndex(fits) ?? -1;
  return at < 0 ? undefined : list?.splice(at, 1)[0];
}
