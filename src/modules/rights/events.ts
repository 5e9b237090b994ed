import type { EventSpec } from '../../derive/derivation.ts';
import type { Compared } from '../../derive/fields.ts';

export interface Issued {
  readonly assetId: string;
  readonly kindId: number;
  readonly recipient: string;
  readonly units: bigint;
  readonly supplyAfter: Compared;
  readonly recipientUnitsAfter: Compared;
}

export const ISSUED: EventSpec<Issued> = {
  type: 'rights.v1.EventIssued',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    recipient: fields.text('recipient'),
    units: fields.amount('units'),
    supplyAfter: fields.compared('supply_after'),
    recipientUnitsAfter: fields.compared('recipient_units_after'),
  }),
  subjects: ({ assetId, recipient }) => ({ accounts: [recipient], assets: [assetId] }),
};

export interface Transferred {
  readonly assetId: string;
  readonly kindId: number;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly fromUnitsAfter: Compared;
  readonly toUnitsAfter: Compared;
}

export const TRANSFERRED: EventSpec<Transferred> = {
  type: 'rights.v1.EventTransferred',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    from: fields.text('from'),
    to: fields.text('to'),
    units: fields.amount('units'),
    fromUnitsAfter: fields.compared('from_units_after'),
    toUnitsAfter: fields.compared('to_units_after'),
  }),
  subjects: ({ assetId, from, to }) => ({ accounts: [from, to], assets: [assetId] }),
};

export interface Redeemed {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly units: bigint;
  readonly supplyAfter: Compared;
  readonly holderUnitsAfter: Compared;
}

export const REDEEMED: EventSpec<Redeemed> = {
  type: 'rights.v1.EventRedeemed',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    holder: fields.text('holder'),
    units: fields.amount('units'),
    supplyAfter: fields.compared('supply_after'),
    holderUnitsAfter: fields.compared('holder_units_after'),
  }),
  subjects: ({ assetId, holder }) => ({ accounts: [holder], assets: [assetId] }),
};

export interface LockChanged {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  /** Whose lock it is: `settlement/7`, `encumbrance/3`, `delegation/2`. */
  readonly ref: string;
  readonly units: bigint;
  /** Left under this ref. */
  readonly lockedAfter: Compared;
}

export const LOCKED: EventSpec<LockChanged> = lockSpec('rights.v1.EventLocked');
export const UNLOCKED: EventSpec<LockChanged> = lockSpec('rights.v1.EventUnlocked');

function lockSpec(type: string): EventSpec<LockChanged> {
  return {
    type,
    read: (fields) => ({
      assetId: fields.text('asset_id'),
      kindId: fields.u32('kind_id'),
      holder: fields.text('holder'),
      ref: fields.text('ref'),
      units: fields.amount('units'),
      lockedAfter: fields.compared('locked_after'),
    }),
    subjects: ({ assetId, holder }) => ({ accounts: [holder], assets: [assetId] }),
  };
}
