import type { Coin } from 'strata-kit/coin';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import type { Context } from '../../app/module.ts';
import { numberKey, type Reader } from '../../state/state.ts';
import { moduleAddress, send } from '../bank/keeper.ts';
import {
  requireActive,
  requireAsset,
  requireCoins,
  requireKind,
  requireMove,
  requireUnits,
} from '../checks.ts';
import { lock, move, unlock } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import {
  assetsOf,
  coinsOf,
  expiries,
  ids,
  legJson,
  lockRef,
  pendingByAsset,
  rightsOf,
  type Settlement,
  type Status,
  settlements,
} from './records.ts';

/**
 * Settlements (modules.md, rule 6 and section 4): the proposer's side is held from the proposal on, its rights locked
 * under `settlement/<id>`, its coins in the module's account.
 */

export function getSettlement(reader: Reader, id: bigint): Settlement | undefined {
  return reader.get(settlements, numberKey(id));
}

/** Errors: settlement/3, settlement/4. */
export function requirePending(context: Context, id: bigint): Settlement {
  const record = getSettlement(context.state, id);
  if (record === undefined) throw refuse('notFound', `no settlement ${id}`);
  if (record.status !== 'STATUS_PENDING') throw refuse('notPending', `settlement ${id} is ${record.status}`);
  return record;
}

export type Proposal = Pick<Settlement, 'proposer' | 'counterparty' | 'legs' | 'expiryNs' | 'memoHash'>;

/** Holds the proposer's side. The fields are sound, the assets not yet looked at. */
export function propose(context: Context, proposal: Proposal): bigint {
  const { state } = context;
  const { proposer, legs } = proposal;
  for (const assetId of assetsOf(legs))
    requireActive(refuse, requireAsset(state, refuse, assetId), 'Propose');
  for (const { right } of legs)
    if (right !== undefined) requireKind(refuse, requireAsset(state, refuse, right.assetId), right.kindId);
  const rights = rightsOf(legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
  const coins = coinsOf(legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
  for (const right of rights) requireUnits(state, refuse, right, proposer);
  requireCoins(state, refuse, coins, proposer);

  const id = ids.take(state);
  for (const { assetId, kindId, units } of rights)
    lock(context, assetId, kindId, proposer, lockRef(id), units);
  if (coins.length > 0) send(context, proposer, account(context), coins);
  const record: Settlement = { ...proposal, id, status: 'STATUS_PENDING', cancelReason: '' };
  put(context, record);
  expiries.add(state, record.expiryNs, id);
  for (const assetId of assetsOf(legs)) state.set(pendingByAsset, assetKey(assetId, id), id);
  context.emit('settlement.EventProposed', {
    id: String(id),
    proposer,
    counterparty: record.counterparty,
    legs: legs.map(legJson),
    expiry: formatTimeNs(record.expiryNs),
    memo_hash: record.memoHash,
  });
  return id;
}

/** All legs or none; each side must have what it delivers before anything moves. */
export function accept(context: Context, record: Settlement): void {
  const { state } = context;
  const { id, proposer, counterparty, legs } = record;
  const out = rightsOf(legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
  const back = rightsOf(legs, 'DIRECTION_COUNTERPARTY_TO_PROPOSER');
  const coinsOut = coinsOf(legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
  const coinsBack = coinsOf(legs, 'DIRECTION_COUNTERPARTY_TO_PROPOSER');
  requireMoves(context, out, proposer, counterparty);
  requireMoves(context, back, counterparty, proposer);
  for (const right of back) requireUnits(state, refuse, right, counterparty);
  requireCoins(state, refuse, coinsBack, counterparty);

  for (const { assetId, kindId, units } of out)
    unlock(context, assetId, kindId, proposer, lockRef(id), units);
  for (const right of out) move(context, { ...right, from: proposer, to: counterparty });
  for (const right of back) move(context, { ...right, from: counterparty, to: proposer });
  if (coinsOut.length > 0) send(context, account(context), counterparty, coinsOut);
  if (coinsBack.length > 0) send(context, counterparty, proposer, coinsBack);
  close(context, record, 'STATUS_SETTLED', '');
  context.emit('settlement.EventSettled', subjects(record));
}

/** By a party, or with the reason LIQUIDATION and no actor by the waterfall. */
export function cancel(context: Context, record: Settlement, actor: string, reason: string): void {
  giveBack(context, record);
  close(context, record, 'STATUS_CANCELLED', reason);
  context.emit('settlement.EventCancelled', { ...subjects(record), actor, reason });
}

/** Every pending settlement with a leg of the asset, in the order of ids. */
export function cancelForLiquidation(context: Context, assetId: string): void {
  const pending = [...context.state.entries(pendingByAsset, `${assetId}/`)].map(([, id]) => id);
  for (const id of pending) cancel(context, requirePending(context, id), '', 'LIQUIDATION');
}

/** EndBlock: block time ≥ expiry, in the order of ids. */
export function expireDue(context: Context): void {
  for (const id of expiries.due(context.state, context.timeNs)) {
    const record = requirePending(context, id);
    giveBack(context, record);
    close(context, record, 'STATUS_EXPIRED', '');
    context.emit('settlement.EventExpired', subjects(record));
  }
}

/** Writes a record with its indexes, without any effect: of genesis. */
export function restore(context: Context, record: Settlement): void {
  put(context, record);
  if (record.status !== 'STATUS_PENDING') return;
  expiries.add(context.state, record.expiryNs, record.id);
  for (const assetId of assetsOf(record.legs))
    context.state.set(pendingByAsset, assetKey(assetId, record.id), record.id);
}

/** What the module's account holds for a pending settlement. */
export function heldCoins(record: Settlement): Coin[] {
  return coinsOf(record.legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
}

function requireMoves(context: Context, rights: ReturnType<typeof rightsOf>, from: string, to: string): void {
  for (const { assetId, kindId } of rights) {
    const asset = requireAsset(context.state, refuse, assetId);
    requireActive(refuse, asset, 'Accept');
    requireMove(context, refuse, asset, requireKind(refuse, asset, kindId), from, to);
  }
}

function giveBack(context: Context, record: Settlement): void {
  const { id, proposer, legs } = record;
  for (const { assetId, kindId, units } of rightsOf(legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY'))
    unlock(context, assetId, kindId, proposer, lockRef(id), units);
  const coins = heldCoins(record);
  if (coins.length > 0) send(context, account(context), proposer, coins);
}

function close(context: Context, record: Settlement, status: Status, cancelReason: string): void {
  const { state } = context;
  put(context, { ...record, status, cancelReason });
  expiries.remove(state, record.expiryNs, record.id);
  for (const assetId of assetsOf(record.legs)) state.delete(pendingByAsset, assetKey(assetId, record.id));
}

function put(context: Context, record: Settlement): void {
  context.state.set(settlements, numberKey(record.id), record);
}

function account(context: Context): string {
  return moduleAddress(context.parameters, 'settlement');
}

function assetKey(assetId: string, id: bigint): string {
  return `${assetId}/${numberKey(id)}`;
}

function subjects({ id, proposer, counterparty, legs }: Settlement): JsonObject {
  return { id: String(id), proposer, counterparty, asset_ids: assetsOf(legs) };
}
