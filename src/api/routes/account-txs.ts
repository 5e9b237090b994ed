import { parseAddress, parseMethod } from '../params.ts';
import { pathParam, type Route } from '../route.ts';
import { answerTxPage } from '../tx-page.ts';

const PATH = '/v1/accounts/{addr}/txs';

/** The txs that an account took part in (api.md, rule 3); an unknown account has an empty page. */
export const accountTxsRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor', 'method'],
  cache: 'head',
  handle: (request, context) => {
    const account = parseAddress(pathParam(request, 'addr'), context.chain.hrp).bech32;
    const method = parseMethod(request.query.get('method'));
    const counts = () => context.accountMethodCounts(account);
    return answerTxPage(request, context, PATH, { account, method }, counts);
  },
};
