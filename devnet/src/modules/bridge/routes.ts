import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { bundleKinds, getAsset } from '../asset/keeper.ts';
import { balances, supplyOf } from '../bank/keeper.ts';
import { registerEscrow } from '../escrow.ts';
import { position } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import { configurationJson, type Route, type RouteStatus, routes, syntheticRoutes } from './records.ts';
import { windowAt } from './windows.ts';

/** Routes: what they are, and what the authority does with them. */

export function getRoute(reader: Reader, routeId: string): Route | undefined {
  return reader.get(routes, routeId);
}

/** Errors: bridge/3. */
export function requireRoute(context: Context, routeId: string): Route {
  const route = getRoute(context.state, routeId);
  if (route === undefined) throw refuse('notFound', `no route ${routeId}`);
  return route;
}

/** In the order of ids. */
export function allRoutes(reader: Reader): Route[] {
  return [...reader.entries(routes)].map(([, route]) => route);
}

/** The kinds that a RIGHT_OUT route moves: one, or all of the bundle. */
export function kindsOf(reader: Reader, route: Route): number[] {
  if (!route.bundle) return route.kindId === null ? [] : [route.kindId];
  const asset = getAsset(reader, route.assetId);
  return asset === undefined ? [] : bundleKinds(asset).map(({ kindId }) => kindId);
}

/** What a route should hold by its counters: escrowed coins or units, or the synthetic denom's supply. */
export function expectedOf({ direction, outbound, inbound }: Route): bigint {
  return direction === 'DIRECTION_SYNTHETIC_IN'
    ? inbound.total - outbound.total
    : outbound.total - inbound.total;
}

/**
 * A route begins with nothing: an escrow that somebody has paid before it was one, or a synthetic denom that is about,
 * would never fit its counters. Errors: bridge/13, bridge/15.
 */
export function createRoute(context: Context, route: Route): void {
  const { state } = context;
  const { routeId, escrowAddress, localDenom } = route;
  if (getRoute(state, routeId) !== undefined) throw refuse('taken', `route ${routeId} is there`);
  if (route.direction === 'DIRECTION_SYNTHETIC_IN') {
    if (state.get(syntheticRoutes, localDenom) !== undefined || supplyOf(state, localDenom) > 0n)
      throw refuse('taken', `${localDenom} is there`);
  } else if (
    balances(state, escrowAddress).length > 0 ||
    kindsOf(state, route).some((kindId) => position(state, route.assetId, kindId, escrowAddress).units > 0n)
  )
    throw refuse('escrow', `${escrowAddress} holds something already`);
  restoreRoute(context, route);
  context.emit('bridge.EventRouteCreated', configurationJson(route));
}

/** Writes a route and registers its escrow or denom, without an event: of genesis, and of a new one. */
export function restoreRoute(context: Context, route: Route): void {
  putRoute(context, route);
  if (route.direction === 'DIRECTION_SYNTHETIC_IN')
    context.state.set(syntheticRoutes, route.localDenom, route.routeId);
  if (route.escrowAddress !== '') registerEscrow(context.state, route.escrowAddress, route.routeId);
}

export function setStatus(context: Context, route: Route, status: RouteStatus): void {
  update(context, { ...route, status });
}

/** Another length of the windows restarts what is used. */
export function setLimits(
  context: Context,
  route: Route,
  outboundLimit: bigint,
  inboundLimit: bigint,
  windowSeconds: bigint,
): void {
  const restarted =
    windowSeconds === route.windowSeconds
      ? {}
      : { used: 0n, window: windowAt(windowSeconds, context.timeNs) };
  update(context, {
    ...route,
    windowSeconds,
    outbound: { ...route.outbound, limit: outboundLimit, ...restarted },
    inbound: { ...route.inbound, limit: inboundLimit, ...restarted },
  });
}

export function putRoute(context: Context, route: Route): void {
  context.state.set(routes, route.routeId, route);
}

function update(context: Context, route: Route): void {
  putRoute(context, route);
  context.emit('bridge.EventRouteUpdated', {
    route_id: route.routeId,
    asset_id: route.assetId,
    status: route.status,
    outbound_limit: String(route.outbound.limit),
    inbound_limit: String(route.inbound.limit),
    window_seconds: String(route.windowSeconds),
  });
}
