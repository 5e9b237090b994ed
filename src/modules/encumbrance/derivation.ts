import { formatTimeNs } from 'strata-kit/time';
import type { BlockAt, Derivation, EventContext } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { assetDerivation } from '../asset/derivation.ts';
import { createClosedRecords } from '../closed-records.ts';
import {
  ENCUMBRANCE_CREATED,
  ENCUMBRANCE_EXERCISED,
  ENCUMBRANCE_EXPIRED,
  ENCUMBRANCE_RELEASED,
  type EncumbranceActor,
  type EncumbranceCreated,
} from './events.ts';
import { ENCUMBRANCE_TIMELINE, ENCUMBRANCES } from './tables.ts';

const ACTIVE = 'active';
/** Closed records keep the place of theirs. */
const ENDINGS = ['released', 'exercised', 'expired'] as const;
type Ending = (typeof ENDINGS)[number];

/** As long as it is active; what it says but for its units stays as created. */
interface Active {
  readonly id: bigint;
  readonly kind: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  /** Still locked. */
  readonly units: bigint;
  readonly beneficiary: string;
  readonly incomeToBeneficiary: boolean;
  readonly holderReleaseAfter: string;
  readonly exercisable: boolean;
  readonly expiry: string;
  readonly evidenceHash: string;
  readonly createdHeight: number;
  readonly createdTimeNs: bigint;
  readonly createdTxHash: Uint8Array;
}

interface Change {
  readonly encumbrance: Active;
  readonly status: typeof ACTIVE | Ending;
}

const NO_HASH = new Uint8Array(32);
/** What an expiry has for its actor (modules.md section 2). */
const BY_PROTOCOL: EncumbranceActor = { actor: '', actorRole: 'protocol' };

/** Encumbrances (modules.md rule 7). What they lock and move, the events of rights tell. */
export const encumbranceDerivation: Derivation = {
  module: 'encumbrance',
  tables: [ENCUMBRANCES, ENCUMBRANCE_TIMELINE],
  reads: ['asset'],
  open(setup) {
    const assets = setup.stateOf(assetDerivation);
    const versions = setup.table(ENCUMBRANCES);
    const timeline = setup.table(ENCUMBRANCE_TIMELINE);
    const active = new Map<bigint, Active>();
    const closed = createClosedRecords();
    const changed = new Map<bigint, Change>();

    const statusOf = (id: bigint): string | undefined => {
      if (active.has(id)) return ACTIVE;
      const ending = closed.get(id);
      return ending === undefined ? undefined : ENDINGS[ending];
    };
    const isKnown = ({ id }: { readonly id: bigint }): boolean => statusOf(id) !== undefined;

    /** The record, as long as it is active; one that has ended stays as it ended. */
    const activeOf = (id: bigint, context: EventContext): Active | undefined => {
      const encumbrance = active.get(id);
      if (encumbrance === undefined) context.compare('status', statusOf(id) ?? '', ACTIVE);
      return encumbrance;
    };

    const addEntry = (
      id: bigint,
      event: 'created' | Ending,
      units: bigint,
      { actor, actorRole }: EncumbranceActor,
      context: EventContext,
    ): void => {
      timeline.append({
        id,
        height: context.height,
        ordinal: context.ordinal,
        event,
        block_time_ns: context.timeNs,
        tx_hash: context.txHash ?? NO_HASH,
        actor,
        actor_role: actorRole,
        units,
      });
    };

    const resolve = (encumbrance: Active, status: Ending): void => {
      active.delete(encumbrance.id);
      closed.set(encumbrance.id, ENDINGS.indexOf(status));
      changed.set(encumbrance.id, { encumbrance: { ...encumbrance, units: 0n }, status });
    };

    const append = ({ encumbrance, status }: Change, { height }: BlockAt): void => {
      versions.append({
        id: encumbrance.id,
        height,
        kind: encumbrance.kind,
        asset_id: encumbrance.assetId,
        kind_id: encumbrance.kindId,
        holder: encumbrance.holder,
        units: encumbrance.units,
        beneficiary: encumbrance.beneficiary,
        income_to_beneficiary: encumbrance.incomeToBeneficiary,
        holder_release_after: encumbrance.holderReleaseAfter,
        exercisable: encumbrance.exercisable,
        expiry: encumbrance.expiry,
        evidence_hash: encumbrance.evidenceHash,
        status,
        created_height: encumbrance.createdHeight,
        created_time_ns: encumbrance.createdTimeNs,
        created_tx_hash: encumbrance.createdTxHash,
        resolved_height: status === ACTIVE ? 0 : height,
      });
    };

    return {
      state: undefined,
      handlers: [
        on(
          ENCUMBRANCE_CREATED,
          (event, context) => {
            const encumbrance = createdBy(event, context);
            active.set(event.id, encumbrance);
            changed.set(event.id, { encumbrance, status: ACTIVE });
            addEntry(event.id, 'created', event.units, event, context);
          },
          // a second encumbrance of one id is none, for payout neither; nor is one of a kind that nobody created
          (event) => !isKnown(event) && assets.getKind(event.assetId, event.kindId) !== undefined,
        ),
        on(
          ENCUMBRANCE_RELEASED,
          (event, context) => {
            const encumbrance = activeOf(event.id, context);
            if (encumbrance === undefined) return;
            const units = encumbrance.units - event.units;
            context.compare('remaining_units', units, event.remainingUnits);
            addEntry(event.id, 'released', event.units, event, context);
            if (units <= 0n) {
              resolve(encumbrance, 'released');
              return;
            }
            const left = { ...encumbrance, units };
            active.set(event.id, left);
            changed.set(event.id, { encumbrance: left, status: ACTIVE });
          },
          isKnown,
        ),
        on(
          ENCUMBRANCE_EXERCISED,
          (event, context) => {
            const encumbrance = activeOf(event.id, context);
            if (encumbrance === undefined) return;
            context.compare('units', encumbrance.units, event.units);
            addEntry(event.id, 'exercised', encumbrance.units, event, context);
            resolve(encumbrance, 'exercised');
          },
          isKnown,
        ),
        on(
          ENCUMBRANCE_EXPIRED,
          (event, context) => {
            const encumbrance = activeOf(event.id, context);
            if (encumbrance === undefined) return;
            context.compare('units', encumbrance.units, event.units);
            addEntry(event.id, 'expired', encumbrance.units, BY_PROTOCOL, context);
            resolve(encumbrance, 'expired');
          },
          isKnown,
        ),
      ],
      endBlock(block) {
        for (const change of changed.values()) append(change, block);
        changed.clear();
      },
      async restore(reader) {
        await reader.latest(ENCUMBRANCES, ['id', 'status'], (row) => {
          const id = row.id;
          const status = row.status;
          if (status !== ACTIVE) closed.set(id, ENDINGS.indexOf(status as Ending));
        });
        await reader.latest(
          ENCUMBRANCES,
          [
            'id',
            'kind',
            'asset_id',
            'kind_id',
            'holder',
            'units',
            'beneficiary',
            'income_to_beneficiary',
            'holder_release_after',
            'exercisable',
            'expiry',
            'evidence_hash',
            'created_height',
            'created_time_ns',
            'created_tx_hash',
          ],
          (row) => {
            const encumbrance = {
              id: row.id,
              kind: row.kind,
              assetId: row.asset_id,
              kindId: row.kind_id,
              holder: row.holder,
              units: row.units,
              beneficiary: row.beneficiary,
              incomeToBeneficiary: row.income_to_beneficiary,
              holderReleaseAfter: row.holder_release_after,
              exercisable: row.exercisable,
              expiry: row.expiry,
              evidenceHash: row.evidence_hash,
              createdHeight: row.created_height,
              createdTimeNs: row.created_time_ns,
              createdTxHash: Uint8Array.from(row.created_tx_hash),
            };
            active.set(encumbrance.id, encumbrance);
          },
          ['status', [ACTIVE]],
        );
      },
    };
  },
};

function createdBy(event: EncumbranceCreated, context: EventContext): Active {
  const { id, assetId, kindId, holder, units, beneficiary, incomeToBeneficiary, exercisable } = event;
  return {
    id,
    kind: event.kind.replace('KIND_', '').toLowerCase(),
    assetId,
    kindId,
    holder,
    units,
    beneficiary,
    incomeToBeneficiary,
    holderReleaseAfter: timeText(event.holderReleaseAfterNs),
    exercisable,
    expiry: timeText(event.expiryNs),
    evidenceHash: event.evidenceHash,
    createdHeight: context.height,
    createdTimeNs: context.timeNs,
    createdTxHash: context.txHash ?? NO_HASH,
  };
}

function timeText(timeNs: bigint | undefined): string {
  return timeNs === undefined ? '' : formatTimeNs(timeNs);
}
