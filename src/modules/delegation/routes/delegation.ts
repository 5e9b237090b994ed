import { StrataError } from 'strata-kit/errors';
import { pathParam, type Route } from '../../../api/route.ts';
import { parseRecordId } from '../../record-json.ts';
import { delegationJson, delegationsByIds } from '../delegations-read.ts';

/** One delegation. */
export const delegationRoute: Route = {
  path: '/v1/delegations/{id}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const id = parseRecordId(pathParam(request, 'id'));
    const delegation = (await delegationsByIds(context, [id])).get(id);
    if (delegation === undefined) throw new StrataError('not_found', 'there is no such delegation');
    return { parts: [`{"delegation":${delegationJson(delegation)}}`] };
  },
};
