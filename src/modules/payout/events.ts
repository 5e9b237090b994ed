import type { EventSpec } from '../../derive/derivation.ts';

export interface Distributed {
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  readonly payer: string;
  readonly amount: bigint;
  /** Unbounded. */
  readonly newIndex: bigint;
  readonly carryScaled: bigint;
  readonly supply: bigint;
}

/** It is about the asset and the payer, not about the holders (modules.md section 2). */
export const DISTRIBUTED: EventSpec<Distributed> = {
  type: 'payout.v1.EventDistributed',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    denom: fields.text('denom'),
    payer: fields.text('payer'),
    amount: fields.amount('amount'),
    newIndex: fields.integer('new_index'),
    carryScaled: fields.integer('carry_scaled'),
    supply: fields.integer('supply'),
  }),
  subjects: ({ assetId, payer }) => ({ accounts: [payer], assets: [assetId] }),
};

export interface Claimed {
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  /** Who is paid. */
  readonly holder: string;
  /** The holder whose pledged units earned it; empty for own income. */
  readonly routedFrom: string;
  /** `encumbrance/<id>`; empty for own income. */
  readonly ref: string;
  readonly amount: bigint;
}

export const CLAIMED: EventSpec<Claimed> = {
  type: 'payout.v1.EventClaimed',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    denom: fields.text('denom'),
    holder: fields.text('holder'),
    routedFrom: fields.text('routed_from'),
    ref: fields.text('ref'),
    amount: fields.integer('amount'),
  }),
  subjects: ({ assetId, holder, routedFrom }) => ({
    accounts: routedFrom === '' ? [holder] : [holder, routedFrom],
    assets: [assetId],
  }),
};
