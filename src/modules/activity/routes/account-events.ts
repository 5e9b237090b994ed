import { parseAddress } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { feedPage } from '../feed.ts';

const PATH = '/v1/accounts/{addr}/events';

/** The events that an account is a subject of; empty for an unknown one. */
export const accountEventsRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const account = parseAddress(pathParam(request, 'addr'), context.chain.hrp).bech32;
    const { events, next } = await feedPage(request, context, PATH, { account });
    return {
      parts: [`{"address":"${account}","events":`, ...events, `,"next_cursor":${JSON.stringify(next)}}`],
    };
  },
};
