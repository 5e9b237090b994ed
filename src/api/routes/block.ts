import { StrataError } from 'strata-kit/errors';
import { mayBeBad } from '../../store/bad-blocks.ts';
import { markApplied } from '../applied.ts';
import { blockJson } from '../block-json.ts';
import { parseHeight } from '../params.ts';
import { pathParam, type Route } from '../route.ts';
import { txListJson } from '../tx-json.ts';

/** One block with its txs and its block-level events; 404 outside the indexed heights. */
export const blockRoute: Route = {
  path: '/v1/blocks/{height}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const height = parseHeight(pathParam(request, 'height'));
    const { firstHeight, indexedHeight } = context.snapshot;
    if (height < firstHeight || height > indexedHeight) {
      throw new StrataError('not_found', `block ${height} is not indexed`);
    }
    const block = await context.lookups.block(Number(height), context.endMs);
    if (block === undefined) throw new StrataError('not_found', `block ${height} is not indexed`);
    const txs = await context.lookups.txsOf(block, context.endMs);
    return {
      parts: [
        `{"block":${blockJson(block)},"txs":`,
        ...txListJson(txs, context.derivedTypes),
        ',"events":',
        ...markApplied(block.events, context.derivedTypes),
        '}',
      ],
      // a bad block may be taken again (strata repair)
      settled: height < indexedHeight && !mayBeBad(context.snapshot.badBlocks, Number(height)),
    };
  },
};
