import type { EventSpec } from '../../derive/derivation.ts';
import type { Compared } from '../../derive/fields.ts';

export interface Distributed {
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  readonly payer: string;
  readonly amount: bigint;
  /** Unbounded. */
  readonly newIndex: Compared;
  readonly carryScaled: Compared;
  readonly supply: Compared;
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
    newIndex: fields.compared('new_index'),
    carryScaled: fields.compared('carry_scaled'),
    supply: fields.compared('supply'),
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
  readonly amount: Compared;
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
    amount: fields.compared('amount'),
  }),
  subjects: ({ assetId, holder, routedFrom }) => ({
    accounts: routedFrom === '' ? [holder] : [holder, routedFrom],
    assets: [assetId],
  }),
};
