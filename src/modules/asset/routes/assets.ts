import { formatTimeNs } from 'strata-kit/time';
import { latestVersions } from '../../../api/as-of.ts';
import { assetIdField } from '../../../api/cursor-fields.ts';
import { parseLimit } from '../../../api/params.ts';
import type { Route } from '../../../api/route.ts';
import { readAll } from '../../../api/rows.ts';
import { selection } from '../../../core/reading.ts';
import { quote, uintLiteral } from '../../../store/sql.ts';
import { ASSETS } from '../tables.ts';

const PATH = '/v1/assets';
const ROW = selection(ASSETS, [
  'asset_id',
  'issuer',
  'status',
  'kind_count',
  'created_height',
  'created_time_ns',
  'issuance_locked',
  'meta_hash',
]);

/** AssetSummary of every asset, by id; an id never changes its place, so a cursor carries no height. */
export const assetsRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async ({ query }, context) => {
    const limit = parseLimit(query.get('limit'));
    const cursor = query.get('cursor');
    const [after = ''] =
      cursor === undefined ? [] : context.cursors.decodeKey([PATH], cursor, [assetIdField] as const);
    const versions = latestVersions(context.snapshot, ASSETS, ROW.columns, `asset_id > ${quote(after)}`);
    const rows = await context.query(`${versions} LIMIT ${uintLiteral(limit + 1)}`);
    const found = readAll(rows, ROW.read).map(
      ({ asset_id: id, issuer, status, kind_count, created_height, created_time_ns, ...rest }) => ({
        id,
        issuer,
        status,
        kind_count,
        created_height,
        created_at: formatTimeNs(created_time_ns),
        ...rest,
      }),
    );
    const assets = found.slice(0, limit);
    const last = found.length > limit ? assets.at(-1) : undefined;
    const next_cursor = last === undefined ? null : context.cursors.encodeKey([PATH], [last.id]);
    return { parts: [JSON.stringify({ assets, next_cursor })] };
  },
};
