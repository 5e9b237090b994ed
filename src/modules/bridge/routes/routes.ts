import type { Route } from '../../../api/route.ts';
import { routeTexts } from '../routes-read.ts';

/** Every route, by id. */
export const bridgeRoutesRoute: Route = {
  path: '/v1/bridge/routes',
  query: [],
  cache: 'head',
  handle: async (_, context) => ({ parts: [`{"routes":[${(await routeTexts(context, '1')).join(',')}]}`] }),
};
