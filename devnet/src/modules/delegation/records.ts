import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { collection } from '../../state/state.ts';
import { deadlines, sequence } from '../sequence.ts';

export const PURPOSES = ['PURPOSE_VOTE', 'PURPOSE_INCOME'] as const;
export type Purpose = (typeof PURPOSES)[number];

export const END_REASONS = [
  'END_REASON_UNSPECIFIED',
  'END_REASON_EXPIRED',
  'END_REASON_REVOKED',
  'END_REASON_RETURNED',
] as const;
export type EndReason = (typeof END_REASONS)[number];

export interface Delegation {
  readonly id: bigint;
  readonly holder: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly units: bigint;
  readonly delegate: string;
  readonly untilNs: bigint;
  readonly purposes: readonly Purpose[];
  readonly revocable: boolean;
  /** Unspecified while active. */
  readonly ended: EndReason;
}

export const delegations = collection<Delegation>('delegation/delegations');
export const ids = sequence('delegation');
export const expiries = deadlines('delegation');

export function lockRef(id: bigint): string {
  return `delegation/${id}`;
}

/** The fields that the record and EventDelegated have in common. */
export function termsJson(record: Delegation): JsonObject {
  return {
    id: String(record.id),
    holder: record.holder,
    asset_id: record.assetId,
    kind_id: record.kindId,
    units: String(record.units),
    delegate: record.delegate,
    until: formatTimeNs(record.untilNs),
    purposes: record.purposes,
    revocable: record.revocable,
  };
}

export function delegationJson(record: Delegation): JsonObject {
  return { ...termsJson(record), ended: record.ended };
}
