import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../../app/module.ts';
import { numberKey, type Reader } from '../../state/state.ts';
import { requireUnits } from '../checks.ts';
import { changeRoute, endRoute, startRoute } from '../payout/keeper.ts';
import { lock, move, unlock } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import {
  type ActorRole,
  type Encumbrance,
  encumbrances,
  expiries,
  ids,
  lockRef,
  type Status,
  termsJson,
} from './records.ts';

/**
 * Pledges, liens and lockups (modules.md, rules 4 and 7): units locked under `encumbrance/<id>`. An income-routing
 * pledge has a route in the payout module, which each of its events starts, changes or ends.
 */

export interface Actor {
  readonly actor: string;
  readonly role: ActorRole;
}

export function getEncumbrance(reader: Reader, id: bigint): Encumbrance | undefined {
  return reader.get(encumbrances, numberKey(id));
}

/** Errors: encumbrance/3, encumbrance/4. */
export function requireOpen(context: Context, id: bigint): Encumbrance {
  const record = getEncumbrance(context.state, id);
  if (record === undefined) throw refuse('notFound', `no encumbrance ${id}`);
  if (record.status !== 'STATUS_ACTIVE') throw refuse('notActive', `encumbrance ${id} is ${record.status}`);
  return record;
}

export type Terms = Omit<Encumbrance, 'id' | 'status'>;

export function create(context: Context, terms: Terms, actor: Actor): bigint {
  const { assetId, kindId, holder, units, beneficiary } = terms;
  requireUnits(context.state, refuse, terms, holder);
  const id = ids.take(context.state);
  const record: Encumbrance = { ...terms, id, status: 'STATUS_ACTIVE' };
  lock(context, assetId, kindId, holder, lockRef(id), units);
  if (record.incomeToBeneficiary) startRoute(context, { id, assetId, kindId, holder, units, beneficiary });
  restore(context, record);
  context.emit('encumbrance.EventCreated', { ...termsJson(record), ...actorJson(actor) });
  return id;
}

/** Frees some of what is left, or all of it, which resolves the encumbrance. */
export function release(context: Context, record: Encumbrance, units: bigint, actor: Actor): void {
  const remaining = record.units - units;
  unlock(context, record.assetId, record.kindId, record.holder, lockRef(record.id), units);
  if (remaining === 0n) resolve(context, record, 'STATUS_RELEASED');
  else {
    if (record.incomeToBeneficiary) changeRoute(context, record.id, remaining);
    put(context, { ...record, units: remaining });
  }
  context.emit('encumbrance.EventReleased', {
    ...subjects(record, units),
    remaining_units: String(remaining),
    ...actorJson(actor),
  });
}

/**
 * The rest goes to the beneficiary, whatever policy and the transferable flag say. The income route ends before the
 * units move: at no time is more routed away than the holder has, in the events neither.
 */
export function exercise(context: Context, record: Encumbrance, actor: Actor): void {
  const { assetId, kindId, holder, beneficiary, units } = record;
  unlock(context, assetId, kindId, holder, lockRef(record.id), units);
  resolve(context, record, 'STATUS_EXERCISED');
  context.emit('encumbrance.EventExercised', { ...subjects(record, units), ...actorJson(actor) });
  move(context, { assetId, kindId, from: holder, to: beneficiary, units });
}

/** EndBlock: block time ≥ expiry, in the order of ids. */
export function expireDue(context: Context): void {
  for (const id of expiries.due(context.state, context.timeNs)) {
    const record = requireOpen(context, id);
    unlock(context, record.assetId, record.kindId, record.holder, lockRef(id), record.units);
    resolve(context, record, 'STATUS_EXPIRED');
    context.emit('encumbrance.EventExpired', subjects(record, record.units));
  }
}

/** Writes a record with its index, without any effect: of genesis, and of a new one. */
export function restore(context: Context, record: Encumbrance): void {
  put(context, record);
  if (record.status === 'STATUS_ACTIVE' && record.expiryNs !== null)
    expiries.add(context.state, record.expiryNs, record.id);
}

function resolve(context: Context, record: Encumbrance, status: Status): void {
  if (record.incomeToBeneficiary) endRoute(context, record.id);
  if (record.expiryNs !== null) expiries.remove(context.state, record.expiryNs, record.id);
  put(context, { ...record, units: 0n, status });
}

function put(context: Context, record: Encumbrance): void {
  context.state.set(encumbrances, numberKey(record.id), record);
}

function subjects({ id, assetId, kindId, holder, beneficiary }: Encumbrance, units: bigint): JsonObject {
  return {
    id: String(id),
    asset_id: assetId,
    kind_id: kindId,
    holder,
    beneficiary,
    units: String(units),
  };
}

function actorJson({ actor, role }: Actor): JsonObject {
  return { actor, actor_role: role };
}
