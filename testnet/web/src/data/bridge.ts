import type { BridgeRouteList } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from './answers.ts';
import type { Asked } from './queries.ts';
import { ALL_ROUTES, allRoutes } from './routes.ts';

export function useRoutes(everyMs: number): Asked<BridgeRouteList> {
  return useAnswer(ALL_ROUTES, allRoutes, { everyMs });
}
