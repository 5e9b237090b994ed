import { bytesToHex, concatBytes, utf8ToBytes } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import type { Context } from '../../app/module.ts';
import { effectivePolicy } from '../asset/keeper.ts';
import { burn, mint, moduleAddress, send } from '../bank/keeper.ts';
import { requireActive, requireAsset, requireCoins, requireKind, requireUnits } from '../checks.ts';
import { move } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import { delivered, nextMessage, type Route, rightJson } from './records.ts';
import { expectedOf, kindsOf, putRoute } from './routes.ts';
import { countIn } from './windows.ts';

export interface Transfer {
  /** 0x bytes32 of an in, an account of an out. */
  readonly sender: string;
  readonly recipient: string;
  readonly amount: bigint;
}

/**
 * Out over an active route, within the window's cap: NATIVE_OUT escrows coins, SYNTHETIC_IN burns them, RIGHT_OUT moves
 * units to the escrow. Answers the message's id. Errors: all of codespace bridge.
 */
export function transferOut(context: Context, route: Route, { sender, recipient, amount }: Transfer): string {
  if (route.status !== 'ROUTE_STATUS_ACTIVE') throw refuse('paused', `route ${route.routeId} is paused`);
  requireMovable(context, route);
  const outbound = countIn(route.outbound, route.windowSeconds, context.timeNs, amount);
  const coins = [{ denom: route.localDenom, amount }];
  if (route.direction === 'DIRECTION_RIGHT_OUT') {
    for (const kindId of kindsOf(context.state, route))
      requireUnits(context.state, refuse, { assetId: route.assetId, kindId, units: amount }, sender);
    moveUnits(context, route, sender, route.escrowAddress, amount);
  } else {
    requireCoins(context.state, refuse, coins, sender);
    if (route.direction === 'DIRECTION_NATIVE_OUT') send(context, sender, route.escrowAddress, coins);
    else {
      send(context, sender, account(context), coins);
      burn(context, 'bridge', coins);
    }
  }
  putRoute(context, { ...route, outbound });
  const id = takeMessageId(context, route);
  context.emit('bridge.EventTransferOut', {
    route_id: route.routeId,
    sender,
    recipient,
    amount: String(amount),
    message_id: id,
    ...rightJson(route),
    outbound_after: String(outbound.total),
    outbound_used_after: String(outbound.used),
  });
  return id;
}

/** The reverse, once a message; whatever policy, flags and the asset's status say. */
export function receiveIn(
  context: Context,
  route: Route,
  { sender, recipient, amount }: Transfer,
  messageId: string,
): void {
  if (route.status !== 'ROUTE_STATUS_ACTIVE') throw refuse('paused', `route ${route.routeId} is paused`);
  if (context.state.get(delivered, messageId) !== undefined)
    throw refuse('delivered', `message ${messageId} has been delivered`);
  const inbound = countIn(route.inbound, route.windowSeconds, context.timeNs, amount);
  if (route.direction !== 'DIRECTION_SYNTHETIC_IN' && amount > expectedOf(route))
    throw refuse('notOutside', `${expectedOf(route)} of route ${route.routeId} are outside, not ${amount}`);
  const coins = [{ denom: route.localDenom, amount }];
  if (route.direction === 'DIRECTION_RIGHT_OUT')
    moveUnits(context, route, route.escrowAddress, recipient, amount);
  else if (route.direction === 'DIRECTION_NATIVE_OUT') send(context, route.escrowAddress, recipient, coins);
  else {
    mint(context, 'bridge', coins);
    send(context, account(context), recipient, coins);
  }
  putRoute(context, { ...route, inbound });
  context.state.set(delivered, messageId, true);
  context.emit('bridge.EventTransferIn', {
    route_id: route.routeId,
    sender,
    recipient,
    amount: String(amount),
    message_id: messageId,
    ...rightJson(route),
    inbound_after: String(inbound.total),
    inbound_used_after: String(inbound.used),
  });
}

/** Of RIGHT_OUT: an active asset, whose kinds are bridgeable, transferable, and under an OPEN policy. */
function requireMovable(context: Context, route: Route): void {
  if (route.direction !== 'DIRECTION_RIGHT_OUT') return;
  const asset = requireAsset(context.state, refuse, route.assetId);
  requireActive(refuse, asset, 'TransferOut');
  for (const kindId of kindsOf(context.state, route)) {
    const kind = requireKind(refuse, asset, kindId);
    const name = `kind ${kindId} of asset ${asset.id}`;
    if (!kind.bridgeable) throw refuse('notBridgeable', `${name} is not bridgeable`);
    if (!kind.transferable) throw refuse('notTransferable', `${name} is not transferable`);
    const { mode } = effectivePolicy(asset, kind);
    if (mode !== 'POLICY_MODE_OPEN') throw refuse('policyDenied', `${name} is under ${mode}`);
  }
}

function moveUnits(context: Context, route: Route, from: string, to: string, units: bigint): void {
  for (const kindId of kindsOf(context.state, route))
    move(context, { assetId: route.assetId, kindId, from, to, units });
}

/**
 * sha256("<ns>/bridge/message/v1" ‖ uint64_be(n) ‖ uint32_be(bytes of chain_id) ‖ chain_id ‖ route_id) as 0x hex, n
 * counting the messages out of the chain from 0.
 */
function takeMessageId(context: Context, { routeId }: Route): string {
  const n = context.state.get(nextMessage, '') ?? 0n;
  context.state.set(nextMessage, '', n + 1n);
  const { namespace, chainId } = context.parameters;
  const chain = utf8ToBytes(chainId);
  const numbers = Buffer.alloc(12);
  numbers.writeBigUInt64BE(n);
  numbers.writeUInt32BE(chain.length, 8);
  const parts = [utf8ToBytes(`${namespace}/bridge/message/v1`), numbers, chain, utf8ToBytes(routeId)];
  return `0x${bytesToHex(sha256(concatBytes(parts)))}`;
}

function account(context: Context): string {
  return moduleAddress(context.parameters, 'bridge');
}
