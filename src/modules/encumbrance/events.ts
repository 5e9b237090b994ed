import type { EventSpec, Subjects } from '../../derive/derivation.ts';
import type { Compared, Fields } from '../../derive/fields.ts';

/** What every event of an encumbrance says of it. */
export interface EncumbranceEvent {
  readonly id: bigint;
  readonly assetId: string;
  readonly holder: string;
  /** Empty for lockups. */
  readonly beneficiary: string;
}

/** Who acted, and what entitled them to it. */
export interface EncumbranceActor {
  readonly actor: string;
  /** holder, operator, issuer, releaser or beneficiary. */
  readonly actorRole: string;
}

export interface EncumbranceCreated extends EncumbranceEvent, EncumbranceActor {
  readonly kindId: number;
  readonly units: bigint;
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
    kindId: fields.u32('kind_id'),
    units: fields.amount('units'),
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
  /** Those that are free now. */
  readonly units: bigint;
  readonly remainingUnits: Compared;
}

export const ENCUMBRANCE_RELEASED: EventSpec<EncumbranceReleased> = {
  type: 'encumbrance.v1.EventReleased',
  read: (fields) => ({
    ...readLater(fields),
    ...readActor(fields),
    units: fields.amount('units'),
    remainingUnits: fields.compared('remaining_units'),
  }),
  subjects,
};

/** Ends what is left, whatever units it tells. */
export interface EncumbranceExpired extends EncumbranceEvent {
  readonly units: Compared;
}

export type EncumbranceExercised = EncumbranceExpired & EncumbranceActor;

export const ENCUMBRANCE_EXERCISED: EventSpec<EncumbranceExercised> = {
  type: 'encumbrance.v1.EventExercised',
  read: (fields) => ({ ...readAllUnits(fields), ...readActor(fields) }),
  subjects,
};

/** Of an EndBlock. */
export const ENCUMBRANCE_EXPIRED: EventSpec<EncumbranceExpired> = {
  type: 'encumbrance.v1.EventExpired',
  read: readAllUnits,
  subjects,
};

function readEvent(fields: Fields): EncumbranceEvent {
  return {
    id: fields.u64('id'),
    assetId: fields.text('asset_id'),
    holder: fields.text('holder'),
    beneficiary: fields.text('beneficiary'),
  };
}

/** Of an encumbrance that is there: its own record has the kind. */
function readLater(fields: Fields): EncumbranceEvent {
  fields.unneeded((of) => of.u32('kind_id'));
  return readEvent(fields);
}

function readAllUnits(fields: Fields): EncumbranceExpired {
  return { ...readLater(fields), units: fields.compared('units') };
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
