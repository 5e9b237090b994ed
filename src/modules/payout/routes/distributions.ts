import { StrataError } from 'strata-kit/errors';
import { formatTimeNs } from 'strata-kit/time';
import { asOf } from '../../../api/as-of.ts';
import { heightField, uint32Field } from '../../../api/cursor-fields.ts';
import { parseAssetId, parseLimit } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { readAll } from '../../../api/rows.ts';
import { selection } from '../../../core/reading.ts';
import { quote, uintLiteral } from '../../../store/sql.ts';
import { hasAsset } from '../../asset/assets-read.ts';
import { txHashJson } from '../../record-json.ts';
import { DISTRIBUTIONS } from '../tables.ts';

const PATH = '/v1/assets/{id}/distributions';
const ROW = selection(DISTRIBUTIONS);

/** Every distribution to an asset's kinds, newest first; one never changes its place, so a cursor carries no height. */
export const distributionsRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const assetId = parseAssetId(pathParam(request, 'id'));
    const limit = parseLimit(request.query.get('limit'));
    const cursor = request.query.get('cursor');
    const scope = [PATH, assetId];
    const [height, ordinal] =
      cursor === undefined
        ? []
        : context.cursors.decodeKey(scope, cursor, [heightField, uint32Field] as const);
    const before =
      height === undefined || ordinal === undefined
        ? ''
        : ` AND height <= ${uintLiteral(height)} AND (height < ${uintLiteral(height)} OR ordinal < ${uintLiteral(ordinal)})`;
    const [isKnown, rows] = await Promise.all([
      hasAsset(context, assetId),
      context.query(
        `SELECT ${ROW.columns} FROM ${DISTRIBUTIONS.name} WHERE ${asOf(context.snapshot, DISTRIBUTIONS)} ` +
          `AND asset_id = ${quote(assetId)}${before} ` +
          `ORDER BY asset_id DESC, height DESC, ordinal DESC LIMIT ${uintLiteral(limit + 1)}`,
      ),
    ]);
    if (!isKnown) throw new StrataError('not_found', 'no such asset');
    const found = readAll(rows, ROW.read).map((row) => ({
      key: [String(row.height), String(row.ordinal)] as const,
      tx_index: row.tx_index,
      event_index: row.event_index,
      kind_id: row.kind_id,
      denom: row.denom,
      payer: row.payer,
      amount: String(row.amount),
      new_index: row.new_index,
      carry_scaled: row.carry_scaled,
      supply: String(row.supply),
      tx_hash: txHashJson(row.tx_hash),
      block_time: formatTimeNs(row.block_time_ns),
    }));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const answer = {
      asset_id: assetId,
      distributions: page.map(({ key, ...rest }) => ({ height: Number(key[0]), ...rest })),
      next_cursor: last === undefined ? null : context.cursors.encodeKey(scope, last.key),
    };
    return { parts: [JSON.stringify(answer)] };
  },
};
