import type { EventSpec } from '../../derive/derivation.ts';

/** A share of what a liquidation brings in. */
export interface Tier {
  /** Lower ones are paid first. */
  readonly tier: number;
  readonly kindId: number;
  /** 0: none. */
  readonly cap: bigint;
}

export interface WaterfallSet {
  readonly assetId: string;
  /** In place of all those before. */
  readonly tiers: readonly Tier[];
}

export const WATERFALL_SET: EventSpec<WaterfallSet> = {
  type: 'waterfall.v1.EventWaterfallSet',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    tiers: fields.messages('tiers').map((tier) => ({
      tier: tier.u32('tier'),
      kindId: tier.u32('kind_id'),
      cap: tier.amount('cap'),
    })),
  }),
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};

export interface LiquidationBegan {
  readonly assetId: string;
  readonly denom: string;
  readonly initiator: string;
}

export const LIQUIDATION_BEGAN: EventSpec<LiquidationBegan> = {
  type: 'waterfall.v1.EventLiquidationBegan',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    denom: fields.text('denom'),
    initiator: fields.text('initiator'),
  }),
  subjects: ({ assetId, initiator }) => ({ accounts: [initiator], assets: [assetId] }),
};

export interface Funded {
  readonly assetId: string;
  readonly payer: string;
  readonly denom: string;
  readonly amount: bigint;
  /** Before the tiers are paid. */
  readonly poolAfter: bigint;
}

export const FUNDED: EventSpec<Funded> = {
  type: 'waterfall.v1.EventFunded',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    payer: fields.text('payer'),
    denom: fields.text('denom'),
    amount: fields.amount('amount'),
    poolAfter: fields.integer('pool_after'),
  }),
  subjects: ({ assetId, payer }) => ({ accounts: [payer], assets: [assetId] }),
};

export interface TierPaid {
  readonly assetId: string;
  readonly tier: number;
  readonly kindId: number;
  readonly denom: string;
  readonly amount: bigint;
  readonly cumulativePaid: bigint;
  readonly poolAfter: bigint;
}

export const TIER_PAID: EventSpec<TierPaid> = {
  type: 'waterfall.v1.EventTierPaid',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    tier: fields.u32('tier'),
    kindId: fields.u32('kind_id'),
    denom: fields.text('denom'),
    amount: fields.integer('amount'),
    cumulativePaid: fields.integer('cumulative_paid'),
    poolAfter: fields.integer('pool_after'),
  }),
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};

export interface PoolOpened {
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  /** The added part. */
  readonly amount: bigint;
  readonly remainingUnits: bigint;
}

export const POOL_OPENED: EventSpec<PoolOpened> = {
  type: 'waterfall.v1.EventPoolOpened',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    denom: fields.text('denom'),
    amount: fields.integer('amount'),
    remainingUnits: fields.integer('remaining_units'),
  }),
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};

/** Burns the units: there is no EventRedeemed beside it. */
export interface PoolRedeemed {
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  readonly holder: string;
  readonly units: bigint;
  readonly amount: bigint;
  /** The pool's remaining amount. */
  readonly poolAfter: bigint;
  readonly supplyAfter: bigint;
  readonly holderUnitsAfter: bigint;
}

export const POOL_REDEEMED: EventSpec<PoolRedeemed> = {
  type: 'waterfall.v1.EventPoolRedeemed',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    denom: fields.text('denom'),
    holder: fields.text('holder'),
    units: fields.amount('units'),
    amount: fields.integer('amount'),
    poolAfter: fields.integer('pool_after'),
    supplyAfter: fields.integer('supply_after'),
    holderUnitsAfter: fields.integer('holder_units_after'),
  }),
  subjects: ({ assetId, holder }) => ({ accounts: [holder], assets: [assetId] }),
};

export interface LiquidationClosed {
  readonly assetId: string;
  /** To the issuer: what was left in the liquidation's pool. */
  readonly returned: bigint;
}

export const LIQUIDATION_CLOSED: EventSpec<LiquidationClosed> = {
  type: 'waterfall.v1.EventLiquidationClosed',
  read: (fields) => ({ assetId: fields.text('asset_id'), returned: fields.integer('returned') }),
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};
