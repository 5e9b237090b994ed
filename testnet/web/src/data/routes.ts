import type { BridgeRouteList } from '../../../../clients/ts/src/client.ts';
import { told, v1 } from './client.ts';
import { AskError } from './errors.ts';
import { type Asked, queries, useAsk } from './queries.ts';

export const ALL_ROUTES = ['bridge', 'routes'];

export function allRoutes(): Promise<BridgeRouteList> {
  return told(v1.GET('/v1/bridge/routes'));
}

/**
 * The coin that a bridge's route moves; empty for a route of an asset. It never changes. Read off the list of all, which
 * one question tells whole: failed txs name routes that there are not, and those have an error.
 */
export function useRouteDenom(routeId: string): Asked<string> {
  return useAsk(['route-denom', routeId], () => denomOf(routeId), {
    enabled: routeId !== '',
    staysAsItIs: true,
    missingStays: true,
  });
}

async function denomOf(routeId: string): Promise<string> {
  const { routes } = await queries.fetchQuery({ queryKey: ALL_ROUTES, queryFn: allRoutes });
  const route = routes.find(({ route_id }) => route_id === routeId);
  if (route === undefined) throw new AskError(404, 'not_found', 'there is no route of this id');
  return route.local_denom;
}
