import { AMOUNT_LIMIT } from '../../app/amounts.ts';
import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { requireAsset, setStatus } from '../asset/keeper.ts';
import type { Asset } from '../asset/records.ts';
import { moduleAddress, send } from '../bank/keeper.ts';
import { requireCoins, requireUnits } from '../checks.ts';
import { burn, supply } from '../rights/keeper.ts';
import { cancelForLiquidation } from '../settlement/keeper.ts';
import { refuse } from './codes.ts';
import {
  type Liquidation,
  type RedemptionPool,
  type Tier,
  tierJson,
  type Waterfall,
  waterfalls,
} from './records.ts';

/**
 * Waterfalls and liquidations (modules.md, rule 10 and section 4). Money waits in the module's account: unpaid in the
 * liquidation's pool, paid to a tier in its kind's redemption pool.
 */

export function getWaterfall(reader: Reader, assetId: string): Waterfall | undefined {
  return reader.get(waterfalls, assetId);
}

/** The event lists the tiers as the issuer did; they are kept, and paid, by number. */
export function setWaterfall(context: Context, assetId: string, tiers: readonly Omit<Tier, 'paid'>[]): void {
  const ordered = tiers.map((tier) => ({ ...tier, paid: 0n })).sort((a, b) => a.tier - b.tier);
  put(context, { assetId, tiers: ordered, liquidation: null, pools: [] });
  context.emit('waterfall.EventWaterfallSet', { asset_id: assetId, tiers: tiers.map(tierJson) });
}

/** Of an active asset. Its pending settlements are cancelled. Errors: waterfall/14. */
export function begin(context: Context, asset: Asset, initiator: string, denom: string): void {
  const record = getWaterfall(context.state, asset.id);
  if (record === undefined || isPaidOff(context.state, record))
    throw refuse('nothingToPay', `no tier of asset ${asset.id} has a kind with a supply`);
  const liquidation: Liquidation = {
    denom,
    initiator,
    pool: 0n,
    beganHeight: context.height,
    beganAtNs: context.timeNs,
    closedHeight: 0,
  };
  put(context, { ...record, liquidation });
  context.emit('waterfall.EventLiquidationBegan', { asset_id: asset.id, denom, initiator });
  setStatus(context, asset.id, 'ASSET_STATUS_LIQUIDATING');
  cancelForLiquidation(context, asset.id);
}

/** Errors: waterfall/4, also once it is closed. */
export function requireLiquidation(
  context: Context,
  assetId: string,
): Waterfall & { readonly liquidation: Liquidation } {
  const record = getWaterfall(context.state, assetId);
  const liquidation = record?.liquidation ?? null;
  if (record === undefined || liquidation === null || liquidation.closedHeight !== 0)
    throw refuse('notLiquidating', `asset ${assetId} is not in liquidation`);
  return { ...record, liquidation };
}

/** Adds to the pool and pays the tiers. Errors: waterfall/2, 5, 10. */
export function fund(
  context: Context,
  record: Waterfall & { readonly liquidation: Liquidation },
  payer: string,
  amount: bigint,
): void {
  const { assetId, liquidation, tiers } = record;
  const { denom } = liquidation;
  const funded = tiers.reduce((sum, { paid }) => sum + paid, liquidation.pool + amount);
  if (funded >= AMOUNT_LIMIT) throw refuse('invalid', 'amount: the funds would reach 2^255');
  const coins = [{ denom, amount }];
  requireCoins(context.state, refuse, coins, payer);
  send(context, payer, account(context), coins);
  const pool = liquidation.pool + amount;
  context.emit('waterfall.EventFunded', {
    asset_id: assetId,
    payer,
    denom,
    amount: String(amount),
    pool_after: String(pool),
  });
  payTiers(context, { ...record, liquidation: { ...liquidation, pool } });
}

/** Burns transferable units for their share of the kind's pool, rounded down. Errors: waterfall/9, 15. */
export function redeem(
  context: Context,
  assetId: string,
  kindId: number,
  holder: string,
  units: bigint,
): bigint {
  const record = getWaterfall(context.state, assetId);
  const pool = record?.pools.find((candidate) => candidate.kindId === kindId);
  if (record?.liquidation == null || pool === undefined)
    throw refuse('noPool', `kind ${kindId} of asset ${assetId} has no redemption pool`);
  requireUnits(context.state, refuse, { assetId, kindId, units }, holder);
  const { denom } = record.liquidation;
  const amount = (pool.remainingAmount * units) / pool.remainingUnits;
  const after: RedemptionPool = {
    ...pool,
    remainingAmount: pool.remainingAmount - amount,
    remainingUnits: pool.remainingUnits - units,
  };
  const { supplyAfter, holderUnitsAfter } = burn(context, { assetId, kindId, holder, units });
  if (amount > 0n) send(context, account(context), holder, [{ denom, amount }]);
  const left = { ...record, pools: withPool(record.pools, after) };
  put(context, left);
  context.emit('waterfall.EventPoolRedeemed', {
    asset_id: assetId,
    kind_id: kindId,
    denom,
    holder,
    units: String(units),
    amount: String(amount),
    pool_after: String(after.remainingAmount),
    supply_after: String(supplyAfter),
    holder_units_after: String(holderUnitsAfter),
  });
  if (record.liquidation.closedHeight === 0 && isPaidOff(context.state, left)) close(context, assetId);
  return amount;
}

/** LIQUIDATED: what is left in the pool goes back to the issuer; redemption pools stay. Answers what went back. */
export function close(context: Context, assetId: string): bigint {
  const record = requireLiquidation(context, assetId);
  const { denom, pool } = record.liquidation;
  if (pool > 0n)
    send(context, account(context), requireAsset(context, assetId).issuer, [{ denom, amount: pool }]);
  put(context, {
    ...record,
    liquidation: { ...record.liquidation, pool: 0n, closedHeight: context.height },
  });
  setStatus(context, assetId, 'ASSET_STATUS_LIQUIDATED');
  context.emit('waterfall.EventLiquidationClosed', { asset_id: assetId, returned: String(pool) });
  return pool;
}

/** Writes a record as it is: of genesis. */
export function put(context: Context, record: Waterfall): void {
  context.state.set(waterfalls, record.assetId, record);
}

/** Tiers in order, each up to its cap; one whose kind has no supply is passed over. */
function payTiers(context: Context, before: Waterfall & { readonly liquidation: Liquidation }): void {
  const { assetId, liquidation } = before;
  const { denom } = liquidation;
  let { pool } = liquidation;
  let { pools } = before;
  const tiers: Tier[] = [];
  for (const tier of before.tiers) {
    const { kindId, cap } = tier;
    const units = supply(context.state, assetId, kindId);
    const room = cap === 0n || cap - tier.paid > pool ? pool : cap - tier.paid;
    const amount = units === 0n ? 0n : room;
    const paid = tier.paid + amount;
    tiers.push({ ...tier, paid });
    if (amount === 0n) continue;
    pool -= amount;
    const opened = topUp(pools, kindId, amount, units);
    pools = withPool(pools, opened);
    context.emit('waterfall.EventTierPaid', {
      asset_id: assetId,
      tier: tier.tier,
      kind_id: kindId,
      denom,
      amount: String(amount),
      cumulative_paid: String(paid),
      pool_after: String(pool),
    });
    context.emit('waterfall.EventPoolOpened', {
      asset_id: assetId,
      kind_id: kindId,
      denom,
      amount: String(amount),
      remaining_units: String(opened.remainingUnits),
    });
  }
  put(context, { ...before, tiers, liquidation: { ...liquidation, pool }, pools });
}

/** A kind's pool with more money in it; a new one is for the whole supply. */
function topUp(
  pools: readonly RedemptionPool[],
  kindId: number,
  amount: bigint,
  supplyNow: bigint,
): RedemptionPool {
  const pool = pools.find((candidate) => candidate.kindId === kindId);
  if (pool === undefined)
    return { kindId, amount, units: supplyNow, remainingAmount: amount, remainingUnits: supplyNow };
  return { ...pool, amount: pool.amount + amount, remainingAmount: pool.remainingAmount + amount };
}

function withPool(pools: readonly RedemptionPool[], changed: RedemptionPool): RedemptionPool[] {
  const has = pools.some(({ kindId }) => kindId === changed.kindId);
  return has ? pools.map((pool) => (pool.kindId === changed.kindId ? changed : pool)) : [...pools, changed];
}

/** No tier's kind has a supply left. */
function isPaidOff(reader: Reader, { assetId, tiers }: Waterfall): boolean {
  return tiers.every(({ kindId }) => supply(reader, assetId, kindId) === 0n);
}

function account(context: Context): string {
  return moduleAddress(context.parameters, 'waterfall');
}
