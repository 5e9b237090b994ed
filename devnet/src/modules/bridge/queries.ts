import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import type { QueryHandler } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { balance, supplyOf } from '../bank/keeper.ts';
import { position } from '../rights/keeper.ts';
import { delivered, nextMessage, type Route, routeJson } from './records.ts';
import { allRoutes, expectedOf, getRoute, kindsOf } from './routes.ts';
import { routeAt } from './windows.ts';

/** What is used is as of the block's time. */
export const queryRoute: QueryHandler = (reader, request, { timeNs }) => ({
  route: routeJson(routeAt(requireRoute(reader, request), timeNs)),
});

export const queryRoutes: QueryHandler = (reader, _, { timeNs }) => ({
  routes: allRoutes(reader).map((route) => routeJson(routeAt(route, timeNs))),
});

/** What is there, beside what the route's counters say. */
export const queryActual: QueryHandler = (reader, request) => {
  const route = requireRoute(reader, request);
  const [actual, expected] = [actualOf(reader, route), expectedOf(route)];
  return { actual: String(actual), expected: String(expected), ok: actual === expected };
};

export const queryExport: QueryHandler = (reader) => ({
  routes: allRoutes(reader).map(routeJson),
  next_message: String(reader.get(nextMessage, '') ?? 0n),
  received_message_ids: [...reader.entries(delivered)].map(([id]) => id),
});

/** The escrow's coins, the synthetic denom's supply, the escrow's units (of a bundle, the least over its kinds). */
export function actualOf(reader: Reader, route: Route): bigint {
  const { direction, escrowAddress, localDenom, assetId } = route;
  if (direction === 'DIRECTION_NATIVE_OUT') return balance(reader, escrowAddress, localDenom);
  if (direction === 'DIRECTION_SYNTHETIC_IN') return supplyOf(reader, localDenom);
  const units = kindsOf(reader, route).map(
    (kindId) => position(reader, assetId, kindId, escrowAddress).units,
  );
  return units.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0] ?? 0n;
}

function requireRoute(reader: Reader, request: JsonObject): Route {
  const routeId = String(request.route_id ?? '');
  const route = getRoute(reader, routeId);
  if (route === undefined) throw sdkError('notFound', `route ${routeId} not found`);
  return route;
}
