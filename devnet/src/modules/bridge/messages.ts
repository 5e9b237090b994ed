import type { Context, MessageHandler } from '../../app/module.ts';
import { bundleKinds } from '../asset/keeper.ts';
import { requireAsset, requireKind, requireParty } from '../checks.ts';
import { escrowAddress } from '../escrow.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { DIRECTIONS, type Direction, ROUTE_STATUSES, type Route, type RouteStatus } from './records.ts';
import { createRoute, requireRoute, setLimits, setStatus } from './routes.ts';
import { receiveIn, transferOut } from './transfers.ts';
import { windowAt } from './windows.ts';

/** Stands in paths of the API and in keys. */
const ROUTE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_TEXT = 128;

export const onCreateRoute: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  requireAuthority(context, fields);
  const route = readRoute(context, fields);
  createRoute(context, route);
  return { escrow_address: route.escrowAddress };
};

export const onSetRouteStatus: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  requireAuthority(context, fields);
  const route = requireRoute(context, fields.text('route_id'));
  setStatus(context, route, fields.choice('status', ROUTE_STATUSES));
  return {};
};

export const onSetLimits: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  requireAuthority(context, fields);
  const route = requireRoute(context, fields.text('route_id'));
  setLimits(
    context,
    route,
    fields.amount('outbound_limit'),
    fields.amount('inbound_limit'),
    fields.id('window_seconds'),
  );
  return {};
};

/** By anyone. */
export const onTransferOut: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const sender = fields.address('sender');
  const route = requireRoute(context, fields.text('route_id'));
  const recipient = fields.bytes32('recipient');
  const amount = fields.positive('amount');
  return { message_id: transferOut(context, route, { sender, recipient, amount }) };
};

/** By the relayer. */
export const onReceiveIn: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const relayer = fields.address('relayer');
  if (relayer !== context.parameters.relayer) throw refuse('unauthorized', `${relayer} is not the relayer`);
  const route = requireRoute(context, fields.text('route_id'));
  const recipient = fields.address('recipient');
  requireParty(context, refuse, recipient);
  const transfer = { sender: fields.bytes32('sender'), recipient, amount: fields.positive('amount') };
  receiveIn(context, route, transfer, fields.bytes32('message_id'));
  return {};
};

function requireAuthority(context: Context, fields: Fields): void {
  const authority = fields.address('authority');
  if (authority !== context.parameters.bridgeAuthority)
    throw refuse('unauthorized', `${authority} is not the bridge authority`);
}

function readRoute(context: Context, fields: Fields): Route {
  const routeId = fields.text('route_id');
  if (!ROUTE_ID.test(routeId)) throw refuse('invalid', `route_id: not ${ROUTE_ID.source}`);
  for (const name of ['warp_token_id', 'display'])
    if (fields.text(name).length > MAX_TEXT) throw refuse('invalid', `${name}: over ${MAX_TEXT} characters`);
  const direction = fields.choice('direction', DIRECTIONS);
  const windowSeconds = fields.id('window_seconds');
  const window = windowAt(windowSeconds, context.timeNs);
  return {
    routeId,
    remoteDomain: fields.small('remote_domain'),
    remoteContract: fields.bytes32('remote_contract'),
    direction,
    ...readSubject(context, fields, direction),
    status: readStatus(fields),
    windowSeconds,
    warpTokenId: fields.text('warp_token_id'),
    display: fields.text('display'),
    exponent: fields.small('exponent'),
    escrowAddress:
      direction === 'DIRECTION_SYNTHETIC_IN' ? '' : escrowAddress(context.parameters.hrp, routeId),
    outbound: { total: 0n, limit: fields.amount('outbound_limit'), used: 0n, window },
    inbound: { total: 0n, limit: fields.amount('inbound_limit'), used: 0n, window },
  };
}

/** Of a new route: active unless the message says otherwise. */
function readStatus(fields: Fields): RouteStatus {
  const isUnset = ['', 'ROUTE_STATUS_UNSPECIFIED'].includes(fields.text('status'));
  return isUnset ? 'ROUTE_STATUS_ACTIVE' : fields.choice('status', ROUTE_STATUSES);
}

/** What the route moves: a denom, a kind of an asset, or its bundle; and nothing beside it. */
function readSubject(
  context: Context,
  fields: Fields,
  direction: Direction,
): Pick<Route, 'localDenom' | 'assetId' | 'kindId' | 'bundle'> {
  const bundle = fields.flag('bundle');
  if (direction !== 'DIRECTION_RIGHT_OUT') {
    if (fields.text('asset_id') !== '' || bundle || fields.isSet('kind_id'))
      throw refuse('invalid', `asset_id, kind_id, bundle: not of ${direction}`);
    return { localDenom: fields.denom('local_denom'), assetId: '', kindId: null, bundle };
  }
  if (fields.text('local_denom') !== '') throw refuse('invalid', `local_denom: not of ${direction}`);
  const asset = requireAsset(context.state, refuse, fields.assetId());
  if (bundle) {
    if (bundleKinds(asset).length === 0) throw refuse('invalid', `bundle: asset ${asset.id} has none`);
    return { localDenom: '', assetId: asset.id, kindId: null, bundle };
  }
  if (!fields.isSet('kind_id')) throw refuse('invalid', 'kind_id: missing');
  const { kindId } = requireKind(refuse, asset, fields.small('kind_id'));
  return { localDenom: '', assetId: asset.id, kindId, bundle };
}
