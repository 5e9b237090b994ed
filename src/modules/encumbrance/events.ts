import type { EventSpec, Subjects } from '../../derive/derivation.ts';
import type { Fields } from '../../derive/fields.ts';

/** What every event of an encumbrance says of it. */
export interface EncumbranceEvent {
  readonly id: bigint;
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  /** Empty for lockups. */
  readonly beneficiary: string;
  /** Those that the event locks, frees or moves. */
  readonly units: bigint;
}

/** Who acted, and what entitled them to it. */
export interface EncumbranceActor {
  readonly actor: string;
  /** holder, operator, issuer, releaser or beneficiary. */
  readonly actorRole: string;
}

export interface EncumbranceCreated extends EncumbranceEvent, EncumbranceActor {
  /** KIND_PLEDGE, KIND_LIEN or KIND_LOCKUP. */
  readonly kind: string;
  readonly incomeToBeneficiary: boolean;
  /** Undefined: never. */
  readonly holderReleaseAfterNs: bigint | undefined;
  readonly exercisable: boolean;
  readonly expiryNs: bigint | undefined;
  /** Lower-case hex, empty when unset. */
  readonly evidenceHash: string;
}

export const ENCUMBRANCE_CREATED: EventSpec<EncumbranceCreated> = {
  type: 'encumbrance.v1.EventCreated',
  read: (fields) => ({
    ...readEvent(fields),
    ...readActor(fields),
    kind: fields.text('kind'),
    incomeToBeneficiary: fields.flag('income_to_beneficiary'),
    holderReleaseAfterNs: fields.timeNs('holder_release_after'),
    exercisable: fields.flag('exercisable'),
    expiryNs: fields.timeNs('expiry'),
    evidenceHash: fields.hex('evidence_hash'),
  }),
  subjects,
};

export interface EncumbranceReleased extends EncumbranceEvent, EncumbranceActor {
  readonly remainingUnits: bigint;
}

export const ENCUMBRANCE_RELEASED: EventSpec<EncumbranceReleased> = {
  type: 'encumbrance.v1.EventReleased',
  read: (fields) => ({
    ...readEvent(fields),
    ...readActor(fields),
    remainingUnits: fields.integer('remaining_units'),
  }),
  subjects,
};

export type EncumbranceExercised = EncumbranceEvent & EncumbranceActor;

export const ENCUMBRANCE_EXERCISED: EventSpec<EncumbranceExercised> = {
  type: 'encumbrance.v1.EventExercised',
  read: (fields) => ({ ...readEvent(fields), ...readActor(fields) }),
  subjects,
};

/** Of an EndBlock. */
export const ENCUMBRANCE_EXPIRED: EventSpec<EncumbranceEvent> = {
  type: 'encumbrance.v1.EventExpired',
  read: readEvent,
  subjects,
};

function readEvent(fields: Fields): EncumbranceEvent {
  return {
    id: fields.u64('id'),
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    holder: fields.text('holder'),
    beneficiary: fields.text('beneficiary'),
    units: fields.amount('units'),
  };
}

function readActor(fields: Fields): EncumbranceActor {
  return { actor: fields.text('actor'), actorRole: fields.text('actor_role') };
}

function subjects({
  holder,
  beneficiary,
  assetId,
  actor = '',
}: EncumbranceEvent & Partial<EncumbranceActor>): Subjects {
  return { accounts: [holder, beneficiary, actor].filter((account) => account !== ''), assets: [assetId] };
}
