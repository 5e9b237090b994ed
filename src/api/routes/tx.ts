import { StrataError } from 'strata-kit/errors';
import { parseTxHash } from '../params.ts';
import { pathParam, type Route } from '../route.ts';
import { txJson } from '../tx-json.ts';
import { findTx } from '../tx-lookup.ts';

/** One tx by its consensus hash, or by the eth hash of one of its messages, whose EVM view it then shows. */
export const txRoute: Route = {
  path: '/v1/txs/{hash}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const found = await findTx(context, parseTxHash(pathParam(request, 'hash')));
    if (found === undefined) throw new StrataError('not_found', 'no tx with this hash is indexed');
    return {
      parts: txJson(found.row, context.derivedTypes, found.evmIndex),
      // a failed tx may be included again and succeed
      settled: found.row.code === 0 && found.row.height < context.snapshot.indexedHeight,
    };
  },
};
