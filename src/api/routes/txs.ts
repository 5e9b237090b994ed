import { parseMethod } from '../params.ts';
import type { Route } from '../route.ts';
import { answerTxPage } from '../tx-page.ts';

const PATH = '/v1/txs';

/** Every tx of the chain, failed included, newest first; `method` keeps those whose first message has that type. */
export const txsRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor', 'method'],
  cache: 'head',
  handle: (request, context) => {
    const method = parseMethod(request.query.get('method'));
    return answerTxPage(request, context, PATH, { method }, context.methodCounts);
  },
};
