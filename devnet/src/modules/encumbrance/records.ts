import type { JsonObject } from 'strata-kit/proto-json';
import { collection } from '../../state/state.ts';
import { timeField } from '../fields.ts';
import { deadlines, sequence } from '../sequence.ts';

export const KINDS = ['KIND_PLEDGE', 'KIND_LIEN', 'KIND_LOCKUP'] as const;
export type EncumbranceKind = (typeof KINDS)[number];

export const STATUSES = ['STATUS_ACTIVE', 'STATUS_RELEASED', 'STATUS_EXERCISED', 'STATUS_EXPIRED'] as const;
export type Status = (typeof STATUSES)[number];

/** Who acted, by what entitles them to it. */
export type ActorRole = 'holder' | 'operator' | 'issuer' | 'beneficiary' | 'releaser';

/** Times are null where unset. */
export interface Encumbrance {
  readonly id: bigint;
  readonly kind: EncumbranceKind;
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  /** Still locked: 0 once resolved. */
  readonly units: bigint;
  /** Empty for lockups. */
  readonly beneficiary: string;
  readonly incomeToBeneficiary: boolean;
  /** Null: never. */
  readonly holderReleaseAfterNs: bigint | null;
  readonly exercisable: boolean;
  readonly expiryNs: bigint | null;
  /** Base64. */
  readonly evidenceHash: string;
  readonly status: Status;
}

export const encumbrances = collection<Encumbrance>('encumbrance/encumbrances');
export const ids = sequence('encumbrance');
export const expiries = deadlines('encumbrance');

export function lockRef(id: bigint): string {
  return `encumbrance/${id}`;
}

/** The fields that the record and EventCreated have in common. */
export function termsJson(record: Encumbrance): JsonObject {
  return {
    id: String(record.id),
    kind: record.kind,
    asset_id: record.assetId,
    kind_id: record.kindId,
    holder: record.holder,
    units: String(record.units),
    beneficiary: record.beneficiary,
    income_to_beneficiary: record.incomeToBeneficiary,
    ...timeField('holder_release_after', record.holderReleaseAfterNs),
    exercisable: record.exercisable,
    ...timeField('expiry', record.expiryNs),
    evidence_hash: record.evidenceHash,
  };
}

export function encumbranceJson(record: Encumbrance): JsonObject {
  return { ...termsJson(record), status: record.status };
}
