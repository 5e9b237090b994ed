import { told, v1 } from './client.ts';
import { type Asked, useAsk } from './queries.ts';

/** The coin that a bridge's route moves; empty for a route of an asset. It never changes. */
export function useRouteDenom(routeId: string): Asked<string> {
  return useAsk(
    ['route-denom', routeId],
    async () => {
      const { route } = await told(v1.GET('/v1/bridge/routes/{id}', { params: { path: { id: routeId } } }));
      return route.local_denom;
    },
    { enabled: routeId !== '', staysAsItIs: true },
  );
}
