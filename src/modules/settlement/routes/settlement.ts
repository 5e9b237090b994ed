import { StrataError } from 'strata-kit/errors';
import { pathParam, type Route } from '../../../api/route.ts';
import { parseRecordId } from '../../record-json.ts';
import { settlementJson } from '../settlement-json.ts';
import { settlementsByIds } from '../settlements-read.ts';

/** One settlement with its timeline. */
export const settlementRoute: Route = {
  path: '/v1/settlements/{id}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const id = parseRecordId(pathParam(request, 'id'));
    const settlement = (await settlementsByIds(context, [id])).get(id);
    if (settlement === undefined) throw new StrataError('not_found', 'there is no such settlement');
    return { parts: [`{"settlement":${settlementJson(settlement, true)}}`] };
  },
};
