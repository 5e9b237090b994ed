import { quote, uintLiteral } from '../../store/sql.ts';
import { parseAddress, parseMethod } from '../params.ts';
import { pathParam, type Route } from '../route.ts';
import { readMethodCounts } from '../rows.ts';
import { createMethodCounts } from '../totals.ts';
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
    const counts = async () => {
      const sql =
        `SELECT toString(method), count() FROM account_txs WHERE account = ${quote(account)} ` +
        `AND height <= ${uintLiteral(context.snapshot.indexedHeight)} GROUP BY method`;
      return createMethodCounts(readMethodCounts(await context.query(sql)));
    };
    return answerTxPage(request, context, PATH, { account, method }, counts);
  },
};
