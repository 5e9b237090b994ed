import { StrataError } from '../../core/errors.ts';
import { RowReader } from '../../store/rowbinary.ts';
import { uintLiteral } from '../../store/sql.ts';
import { markApplied } from '../applied.ts';
import { blockJson } from '../block-json.ts';
import { parseHeight } from '../params.ts';
import { pathParam, type Route } from '../route.ts';
import { BLOCK_COLUMNS, readBlock, readTxs, TX_COLUMNS } from '../rows.ts';
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
    const at = uintLiteral(height);
    const [blockRows, txRows] = await Promise.all([
      context.query(`SELECT ${BLOCK_COLUMNS}, events FROM blocks WHERE height = ${at}`),
      context.query(`SELECT ${TX_COLUMNS} FROM txs WHERE height = ${at} ORDER BY tx_index`),
    ]);
    const row = new RowReader(blockRows);
    if (row.done) throw new StrataError('not_found', `block ${height} is not indexed`);
    const block = readBlock(row);
    return {
      parts: [
        `{"block":${blockJson(block)},"txs":`,
        ...txListJson(readTxs(txRows), context.derivedTypePrefixes),
        ',"events":',
        ...markApplied(row.bytes(), context.derivedTypePrefixes),
        '}',
      ],
      settled: true,
    };
  },
};
