import type { JsonObject } from 'strata-kit/proto-json';
import type { Context, Module } from '../../app/module.ts';
import type { ChainParameters } from '../../app/parameters.ts';
import type { Reader } from '../../state/state.ts';
import { accountProblems } from '../accounts.ts';
import { moduleAddress } from '../bank/keeper.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { position } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import { onCreateRoute, onReceiveIn, onSetLimits, onSetRouteStatus, onTransferOut } from './messages.ts';
import { actualOf, queryActual, queryExport, queryRoute, queryRoutes } from './queries.ts';
import { DIRECTIONS, delivered, type Flow, nextMessage, ROUTE_STATUSES, type Route } from './records.ts';
import { allRoutes, expectedOf, kindsOf, restoreRoute } from './routes.ts';
import { sweepEscrows } from './sweeps.ts';

/** Routes to other chains, for coins and rights. */
export const bridgeModule: Module = {
  name: 'bridge',
  messages: {
    '/<ns>.bridge.v1.MsgCreateRoute': onCreateRoute,
    '/<ns>.bridge.v1.MsgSetRouteStatus': onSetRouteStatus,
    '/<ns>.bridge.v1.MsgSetLimits': onSetLimits,
    '/<ns>.bridge.v1.MsgTransferOut': onTransferOut,
    '/<ns>.bridge.v1.MsgReceiveIn': onReceiveIn,
  },
  queries: {
    '/<ns>.bridge.v1.Query/Route': queryRoute,
    '/<ns>.bridge.v1.Query/Routes': queryRoutes,
    '/<ns>.bridge.v1.Query/Actual': queryActual,
    '/<ns>.bridge.v1.Query/Export': queryExport,
  },
  endBlock: sweepEscrows,
  initGenesis,
  invariants,
};

/** Takes what Export answers. Coins and units come with the bank's and the rights' own state. */
function initGenesis(context: Context, genesis: JsonObject): void {
  const fields = fieldsOf(genesis, context.parameters.hrp, refuse);
  for (const route of fields.messages('routes')) restoreRoute(context, readRoute(route));
  if (fields.text('next_message') !== '') context.state.set(nextMessage, '', fields.id('next_message'));
  for (const id of fields.texts('received_message_ids')) context.state.set(delivered, id, true);
}

function readRoute(route: Fields): Route {
  return {
    routeId: route.text('route_id'),
    remoteDomain: route.small('remote_domain'),
    remoteContract: route.bytes32('remote_contract'),
    direction: route.choice('direction', DIRECTIONS),
    localDenom: route.text('local_denom'),
    status: route.choice('status', ROUTE_STATUSES),
    windowSeconds: route.id('window_seconds'),
    warpTokenId: route.text('warp_token_id'),
    display: route.text('display'),
    exponent: route.small('exponent'),
    assetId: route.text('asset_id'),
    kindId: route.isSet('kind_id') ? route.small('kind_id') : null,
    bundle: route.flag('bundle'),
    escrowAddress: route.text('escrow_address'),
    outbound: readFlow(route, 'outbound'),
    inbound: readFlow(route, 'inbound'),
  };
}

function readFlow(route: Fields, name: 'outbound' | 'inbound'): Flow {
  return {
    total: route.amount(name),
    limit: route.amount(`${name}_limit`),
    used: route.amount(`${name}_used`),
    window: route.id(`${name}_window`),
  };
}

/** Escrow = outbound − inbound in each of its kinds, supply = inbound − outbound, and no other coins anywhere. */
function invariants(reader: Reader, parameters: ChainParameters): string[] {
  return [
    ...accountProblems(reader, moduleAddress(parameters, 'bridge'), new Map()),
    ...allRoutes(reader).flatMap((route) => routeProblems(reader, route)),
  ];
}

function routeProblems(reader: Reader, route: Route): string[] {
  const { routeId, assetId, escrowAddress, localDenom, direction } = route;
  const expected = expectedOf(route);
  const problem = (what: string, has: bigint) => `route ${routeId}: ${what} ${has}, not ${expected}`;
  if (direction === 'DIRECTION_SYNTHETIC_IN') {
    const has = actualOf(reader, route);
    return has === expected ? [] : [problem('supply', has)];
  }
  const coins = new Map(direction === 'DIRECTION_NATIVE_OUT' ? [[localDenom, expected]] : []);
  const units = kindsOf(reader, route).flatMap((kindId) => {
    const has = position(reader, assetId, kindId, escrowAddress).units;
    return has === expected ? [] : [problem(`units of kind ${kindId}`, has)];
  });
  return [...accountProblems(reader, escrowAddress, coins), ...units];
}
