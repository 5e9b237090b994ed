import type { EventSpec, Subjects } from '../../derive/derivation.ts';

export interface Delegated {
  readonly id: bigint;
  readonly holder: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly units: bigint;
  readonly delegate: string;
  readonly untilNs: bigint;
  /** PURPOSE_VOTE, PURPOSE_INCOME. */
  readonly purposes: readonly string[];
  readonly revocable: boolean;
}

export const DELEGATED: EventSpec<Delegated> = {
  type: 'delegation.v1.EventDelegated',
  read: (fields) => ({
    id: fields.u64('id'),
    holder: fields.text('holder'),
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    units: fields.amount('units'),
    delegate: fields.text('delegate'),
    untilNs: fields.requiredTimeNs('until'),
    purposes: fields.texts('purposes'),
    revocable: fields.flag('revocable'),
  }),
  subjects,
};

export interface DelegationEnded {
  readonly id: bigint;
  readonly assetId: string;
  readonly holder: string;
  readonly delegate: string;
  /** END_REASON_EXPIRED (of an EndBlock), END_REASON_REVOKED or END_REASON_RETURNED. */
  readonly reason: string;
}

export const DELEGATION_ENDED: EventSpec<DelegationEnded> = {
  type: 'delegation.v1.EventEnded',
  read: (fields) => {
    fields.unneeded((of) => of.u32('kind_id'));
    return {
      id: fields.u64('id'),
      assetId: fields.text('asset_id'),
      holder: fields.text('holder'),
      delegate: fields.text('delegate'),
      reason: fields.text('reason'),
    };
  },
  subjects,
};

function subjects({
  holder,
  delegate,
  assetId,
}: Pick<Delegated, 'holder' | 'delegate' | 'assetId'>): Subjects {
  return { accounts: [holder, delegate], assets: [assetId] };
}
