import { requireAddress } from '../../app/address.ts';
import { AMOUNT_LIMIT } from '../../app/amounts.ts';
import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { bundleKinds, requireActive, requireAsset, requireKind } from '../asset/keeper.ts';
import { requirePolicy, requireTransferable } from '../asset/policy.ts';
import type { Asset } from '../asset/records.ts';
import { isBlocked } from '../bank/keeper.ts';
import { touch } from '../payout/keeper.ts';
import { rightsError } from './codes.ts';
import {
  kindKey,
  LOCKS,
  lockedUnder,
  POSITIONS,
  positionKey,
  positionRecord,
  SUPPLIES,
  supply,
  transferable,
} from './positions.ts';

export { holders, position, supply, transferable } from './positions.ts';

export interface Holding {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly units: bigint;
}

export interface Movement {
  readonly assetId: string;
  readonly kindId: number;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

export interface Issue {
  readonly assetId: string;
  readonly kindId: number;
  readonly recipient: string;
  readonly units: bigint;
}

/** Every movement of units is one of issue, move and burn (modules.md, rule 0); who may, the callers have asked. */

/** New units. Emits EventIssued and touches the recipient. Refused: rights/40, 43. */
export function issue(context: Context, { assetId, kindId, recipient, units }: Issue): void {
  requireUnits(units);
  const supplyAfter = supply(context.state, assetId, kindId) + units;
  if (supplyAfter >= AMOUNT_LIMIT) throw rightsError('tooMuchSupply', 'the supply would reach 2^255');
  touch(context, assetId, kindId, { holder: recipient });
  const unitsAfter = addUnits(context, assetId, kindId, recipient, units);
  context.state.set(SUPPLIES, kindKey(assetId, kindId), supplyAfter);
  context.emit('rights.EventIssued', {
    asset_id: assetId,
    kind_id: kindId,
    recipient,
    units: String(units),
    supply_after: String(supplyAfter),
    recipient_units_after: String(unitsAfter),
  });
}

/**
 * Transferable units from one account to another, whatever policy says. Emits EventTransferred and touches both.
 * Refused: rights/40 (units), 41 (from = to), 42 (not enough transferable).
 */
export function move(context: Context, { assetId, kindId, from, to, units }: Movement): void {
  requireUnits(units);
  if (from === to) throw rightsError('sameAccount', `sender and recipient are both ${from}`);
  requireEnough(context, assetId, kindId, from, units);
  touch(context, assetId, kindId, { holder: from });
  touch(context, assetId, kindId, { holder: to });
  const fromAfter = addUnits(context, assetId, kindId, from, -units);
  const toAfter = addUnits(context, assetId, kindId, to, units);
  context.emit('rights.EventTransferred', {
    asset_id: assetId,
    kind_id: kindId,
    from,
    to,
    units: String(units),
    from_units_after: String(fromAfter),
    to_units_after: String(toAfter),
  });
}

/**
 * Ends transferable units and touches the holder. Emits nothing: the caller's EventRedeemed or EventPoolRedeemed says it,
 * with what is answered. Refused: rights/40, 42.
 */
export function burn(
  context: Context,
  { assetId, kindId, holder, units }: Holding,
): { readonly supplyAfter: bigint; readonly holderUnitsAfter: bigint } {
  requireUnits(units);
  requireEnough(context, assetId, kindId, holder, units);
  touch(context, assetId, kindId, { holder });
  const holderUnitsAfter = addUnits(context, assetId, kindId, holder, -units);
  const supplyAfter = supply(context.state, assetId, kindId) - units;
  context.state.set(SUPPLIES, kindKey(assetId, kindId), supplyAfter);
  return { supplyAfter, holderUnitsAfter };
}

/** A holder's transfer with every check of MsgTransfer, for the message and the EVM's precompiles. */
export function transfer(context: Context, movement: Movement): void {
  const asset = requireAsset(context, movement.assetId);
  const kind = requireKind(asset, movement.kindId);
  requireActive(asset, 'Transfer');
  requireUnits(movement.units);
  requireRecipient(context, movement.to);
  requireTransferable(asset, kind);
  requirePolicy(context, asset, kind, movement.from, movement.to);
  move(context, movement);
}

/**
 * As many units of every bundle kind, each as `transfer` does it. Refused as rights/42 when there is no bundle kind:
 * of nothing, nobody has any.
 */
export function transferBundle(context: Context, { assetId, ...movement }: Omit<Movement, 'kindId'>): void {
  const kinds = bundleKinds(requireAsset(context, assetId));
  if (kinds.length === 0) throw rightsError('insufficientUnits', `asset ${assetId} has no bundle kinds`);
  for (const { kindId } of kinds) transfer(context, { assetId, kindId, ...movement });
}

/** Locks transferable units under a ref, beside what it has locked. Emits EventLocked. Refused: rights/40, 42. */
export function lock(
  context: Context,
  assetId: string,
  kindId: number,
  holder: string,
  ref: string,
  units: bigint,
): void {
  requireUnits(units);
  requireEnough(context, assetId, kindId, holder, units);
  changeLock(context, 'EventLocked', assetId, kindId, holder, ref, units);
}

/** Frees units locked under a ref. Emits EventUnlocked. Refused: rights/40, 44. */
export function unlock(
  context: Context,
  assetId: string,
  kindId: number,
  holder: string,
  ref: string,
  units: bigint,
): void {
  requireUnits(units);
  const locked = lockedUnder(context.state, assetId, kindId, holder, ref);
  if (units > locked)
    throw rightsError(
      'notLocked',
      `${units} units to unlock, ${locked} are locked under ${ref} of ${holder}`,
    );
  changeLock(context, 'EventUnlocked', assetId, kindId, holder, ref, -units);
}

/** Whole bundles that a holder may transfer: the least over the bundle kinds; 0 when there are none. */
export function wholeUnits(reader: Reader, asset: Asset, holder: string): bigint {
  let least: bigint | undefined;
  for (const { kindId } of bundleKinds(asset)) {
    const units = transferable(reader, asset.id, kindId, holder);
    if (least === undefined || units < least) least = units;
  }
  return least ?? 0n;
}

/**
 * Whoever receives by a message of its own: an account of this chain, and none of the chain's own, whose units nobody
 * could ever move (escrows receive from TransferOut alone: modules.md, rule 8).
 */
export function requireRecipient(context: Context, recipient: string): void {
  requireAddress(context.parameters, recipient, 'recipient');
  if (isBlocked(context.state, context.parameters, recipient))
    throw rightsError('escrowRecipient', `${recipient} is an account of the chain's own`);
}

function requireUnits(units: bigint): void {
  if (units <= 0n || units >= AMOUNT_LIMIT)
    throw rightsError('invalidUnits', `units must be in 1 to 2^255 - 1: ${units}`);
}

function requireEnough(
  context: Context,
  assetId: string,
  kindId: number,
  holder: string,
  units: bigint,
): void {
  const free = transferable(context.state, assetId, kindId, holder);
  if (units > free)
    throw rightsError(
      'insufficientUnits',
      `${holder} has ${free} transferable units of kind ${kindId} of asset ${assetId}, ${units} are needed`,
    );
}

function addUnits(context: Context, assetId: string, kindId: number, holder: string, change: bigint): bigint {
  const key = positionKey(assetId, kindId, holder);
  const before = positionRecord(context.state, assetId, kindId, holder);
  const units = before.units + change;
  if (units === 0n) context.state.delete(POSITIONS, key);
  else context.state.set(POSITIONS, key, { ...before, units });
  return units;
}

function changeLock(
  context: Context,
  event: 'EventLocked' | 'EventUnlocked',
  assetId: string,
  kindId: number,
  holder: string,
  ref: string,
  change: bigint,
): void {
  const key = positionKey(assetId, kindId, holder);
  const before = positionRecord(context.state, assetId, kindId, holder);
  const lockedAfter = lockedUnder(context.state, assetId, kindId, holder, ref) + change;
  if (lockedAfter === 0n) context.state.delete(LOCKS, `${key}|${ref}`);
  else context.state.set(LOCKS, `${key}|${ref}`, lockedAfter);
  context.state.set(POSITIONS, key, { ...before, encumbered: before.encumbered + change });
  context.emit(`rights.${event}`, {
    asset_id: assetId,
    kind_id: kindId,
    holder,
    ref,
    units: String(change < 0n ? -change : change),
    locked_after: String(lockedAfter),
  });
}
