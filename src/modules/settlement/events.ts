import type { EventSpec, Subjects } from '../../derive/derivation.ts';
import type { Fields } from '../../derive/fields.ts';

export interface SettlementProposed {
  readonly id: bigint;
  readonly proposer: string;
  readonly counterparty: string;
  /** Proto-JSON text of the list of legs. */
  readonly legs: string;
  /** The assets of its right legs, doubles included. */
  readonly assetIds: readonly string[];
  readonly expiryNs: bigint;
  /** Lower-case hex, empty when unset. */
  readonly memoHash: string;
}

export const SETTLEMENT_PROPOSED: EventSpec<SettlementProposed> = {
  type: 'settlement.v1.EventProposed',
  read: (fields) => ({
    id: fields.u64('id'),
    proposer: fields.text('proposer'),
    counterparty: fields.text('counterparty'),
    legs: JSON.stringify(fields.json.legs ?? []),
    assetIds: fields.messages('legs').flatMap((leg) => leg.optionalMessage('right')?.text('asset_id') ?? []),
    expiryNs: fields.requiredTimeNs('expiry'),
    memoHash: fields.hex('memo_hash'),
  }),
  subjects,
};

/** What tells how a settlement ended. */
export interface SettlementEnded {
  readonly id: bigint;
  readonly proposer: string;
  readonly counterparty: string;
  readonly assetIds: readonly string[];
}

export const SETTLEMENT_SETTLED: EventSpec<SettlementEnded> = {
  type: 'settlement.v1.EventSettled',
  read: readEnded,
  subjects,
};

export const SETTLEMENT_EXPIRED: EventSpec<SettlementEnded> = {
  type: 'settlement.v1.EventExpired',
  read: readEnded,
  subjects,
};

export interface SettlementCancelled extends SettlementEnded {
  /** Empty where the waterfall module cancelled it. */
  readonly actor: string;
  /** `LIQUIDATION`, or empty where a party cancelled it. */
  readonly reason: string;
}

export const SETTLEMENT_CANCELLED: EventSpec<SettlementCancelled> = {
  type: 'settlement.v1.EventCancelled',
  read: (fields) => ({ ...readEnded(fields), actor: fields.text('actor'), reason: fields.text('reason') }),
  subjects: (event) => {
    const { accounts, assets } = subjects(event);
    return { accounts: event.actor === '' ? accounts : [...accounts, event.actor], assets };
  },
};

function readEnded(fields: Fields): SettlementEnded {
  return {
    id: fields.u64('id'),
    proposer: fields.text('proposer'),
    counterparty: fields.text('counterparty'),
    assetIds: fields.texts('asset_ids'),
  };
}

function subjects({
  proposer,
  counterparty,
  assetIds,
}: Pick<SettlementEnded, 'proposer' | 'counterparty' | 'assetIds'>): Subjects {
  return { accounts: [proposer, counterparty], assets: assetIds };
}
