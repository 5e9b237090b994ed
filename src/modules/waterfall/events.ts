import type { EventSpec } from '../../derive/derivation.ts';
import type { Compared } from '../../derive/fields.ts';

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
  readonly amount: bigint;
  /** Before the tiers are paid. */
  readonly poolAfter: Compared;
}

export const FUNDED: EventSpec<Funded> = {
  type: 'waterfall.v1.EventFunded',
  read: (fields) => {
    fields.unneeded((of) => of.text('denom'));
    return {
      assetId: fields.text('asset_id'),
      payer: fields.text('payer'),
      amount: fields.amount('amount'),
      poolAfter: fields.compared('pool_after'),
    };
  },
  subjects: ({ assetId, payer }) => ({ accounts: [payer], assets: [assetId] }),
};

export interface TierPaid {
  readonly assetId: string;
  readonly tier: number;
  readonly amount: Compared;
  readonly cumulativePaid: Compared;
  readonly poolAfter: Compared;
}

export const TIER_PAID: EventSpec<TierPaid> = {
  type: 'waterfall.v1.EventTierPaid',
  read: (fields) => {
    fields.unneeded((of) => of.u32('kind_id'));
    fields.unneeded((of) => of.text('denom'));
    return {
      assetId: fields.text('asset_id'),
      tier: fields.u32('tier'),
      amount: fields.compared('amount'),
      cumulativePaid: fields.compared('cumulative_paid'),
      poolAfter: fields.compared('pool_after'),
    };
  },
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};

export interface PoolOpened {
  readonly assetId: string;
  readonly kindId: number;
  /** The added part. */
  readonly amount: Compared;
  readonly remainingUnits: Compared;
}

export const POOL_OPENED: EventSpec<PoolOpened> = {
  type: 'waterfall.v1.EventPoolOpened',
  read: (fields) => {
    fields.unneeded((of) => of.text('denom'));
    return {
      assetId: fields.text('asset_id'),
      kindId: fields.u32('kind_id'),
      amount: fields.compared('amount'),
      remainingUnits: fields.compared('remaining_units'),
    };
  },
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};

/** Burns the units: there is no EventRedeemed beside it. */
export interface PoolRedeemed {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly units: bigint;
  readonly amount: Compared;
  /** The pool's remaining amount. */
  readonly poolAfter: Compared;
  readonly supplyAfter: Compared;
  readonly holderUnitsAfter: Compared;
}

export const POOL_REDEEMED: EventSpec<PoolRedeemed> = {
  type: 'waterfall.v1.EventPoolRedeemed',
  read: (fields) => {
    fields.unneeded((of) => of.text('denom'));
    return {
      assetId: fields.text('asset_id'),
      kindId: fields.u32('kind_id'),
      holder: fields.text('holder'),
      units: fields.amount('units'),
      amount: fields.compared('amount'),
      poolAfter: fields.compared('pool_after'),
      supplyAfter: fields.compared('supply_after'),
      holderUnitsAfter: fields.compared('holder_units_after'),
    };
  },
  subjects: ({ assetId, holder }) => ({ accounts: [holder], assets: [assetId] }),
};

export interface LiquidationClosed {
  readonly assetId: string;
  /** To the issuer: what was left in the liquidation's pool. */
  readonly returned: Compared;
}

export const LIQUIDATION_CLOSED: EventSpec<LiquidationClosed> = {
  type: 'waterfall.v1.EventLiquidationClosed',
  read: (fields) => ({ assetId: fields.text('asset_id'), returned: fields.compared('returned') }),
  subjects: ({ assetId }) => ({ accounts: [], assets: [assetId] }),
};
