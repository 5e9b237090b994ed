import { StrataError } from 'strata-kit/errors';
import { pathParam, type Route } from '../../../api/route.ts';
import { quote } from '../../../store/sql.ts';
import { routeTexts } from '../routes-read.ts';

/** One route. Errors: not_found. */
export const bridgeRouteRoute: Route = {
  path: '/v1/bridge/routes/{id}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const [route] = await routeTexts(context, `route_id = ${quote(pathParam(request, 'id'))}`);
    if (route === undefined) throw new StrataError('not_found', 'no bridge route has this id');
    return { parts: [`{"route":${route}}`] };
  },
};
