import { uintLiteral } from '../../store/sql.ts';
import { blockJson } from '../block-json.ts';
import { parseLimit } from '../params.ts';
import type { Route, RouteContext, RouteRequest } from '../route.ts';
import { BLOCK_COLUMNS, readBlocks } from '../rows.ts';

const PATH = '/v1/blocks';

/** Blocks, newest first. */
export const blocksRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const limit = parseLimit(request.query.get('limit'));
    const newest = Math.min(context.snapshot.indexedHeight, newestHeight(request, context));
    const rows = readBlocks(
      await context.query(
        `SELECT ${BLOCK_COLUMNS} FROM blocks WHERE height <= ${uintLiteral(newest)} ` +
          `ORDER BY height DESC LIMIT ${uintLiteral(limit)}`,
      ),
    );
    // heights have no gaps, so the lowest one tells whether there are older blocks
    const last = rows.at(-1);
    const next =
      last === undefined || last.height <= context.snapshot.firstHeight
        ? null
        : context.cursors.encode([PATH], { kind: 'next', key: { height: last.height, txIndex: 0 } });
    return { parts: [`{"blocks":[${rows.map(blockJson).join(',')}],"next_cursor":${JSON.stringify(next)}}`] };
  },
};

function newestHeight(request: RouteRequest, context: RouteContext): number {
  const text = request.query.get('cursor');
  if (text === undefined) return context.snapshot.indexedHeight;
  const cursor = context.cursors.decode([PATH], text);
  return cursor.kind === 'next' ? Math.max(0, cursor.key.height - 1) : context.snapshot.indexedHeight;
}
