import type { Context } from '../../app/module.ts';
import { numberKey, type Reader } from '../../state/state.ts';
import { requireUnits } from '../checks.ts';
import { lock, unlock } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import {
  type Delegation,
  delegations,
  type EndReason,
  expiries,
  ids,
  lockRef,
  termsJson,
} from './records.ts';

/** Delegations (modules.md, rule 9): units locked under `delegation/<id>` until they end; income is not routed. */

export function getDelegation(reader: Reader, id: bigint): Delegation | undefined {
  return reader.get(delegations, numberKey(id));
}

/** Errors: delegation/3, delegation/4. */
export function requireOpen(context: Context, id: bigint): Delegation {
  const record = getDelegation(context.state, id);
  if (record === undefined) throw refuse('notFound', `no delegation ${id}`);
  if (record.ended !== 'END_REASON_UNSPECIFIED')
    throw refuse('ended', `delegation ${id} has ended: ${record.ended}`);
  return record;
}

export function delegate(context: Context, terms: Omit<Delegation, 'id' | 'ended'>): bigint {
  requireUnits(context.state, refuse, terms, terms.holder);
  const id = ids.take(context.state);
  const record: Delegation = { ...terms, id, ended: 'END_REASON_UNSPECIFIED' };
  lock(context, terms.assetId, terms.kindId, terms.holder, lockRef(id), terms.units);
  restore(context, record);
  context.emit('delegation.EventDelegated', termsJson(record));
  return id;
}

export function end(context: Context, record: Delegation, reason: EndReason): void {
  const { id, assetId, kindId, holder } = record;
  unlock(context, assetId, kindId, holder, lockRef(id), record.units);
  expiries.remove(context.state, record.untilNs, id);
  context.state.set(delegations, numberKey(id), { ...record, ended: reason });
  context.emit('delegation.EventEnded', {
    id: String(id),
    asset_id: assetId,
    kind_id: kindId,
    holder,
    delegate: record.delegate,
    reason,
  });
}

/** EndBlock: block time ≥ until, in the order of ids. */
export function expireDue(context: Context): void {
  for (const id of expiries.due(context.state, context.timeNs))
    end(context, requireOpen(context, id), 'END_REASON_EXPIRED');
}

/** Writes a record with its index, without any effect: of genesis, and of a new one. */
export function restore(context: Context, record: Delegation): void {
  context.state.set(delegations, numberKey(record.id), record);
  if (record.ended === 'END_REASON_UNSPECIFIED') expiries.add(context.state, record.untilNs, record.id);
}
