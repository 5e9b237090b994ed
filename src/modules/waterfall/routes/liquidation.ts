import { StrataError } from 'strata-kit/errors';
import { parseAssetId } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { assetOf } from '../../asset/assets-read.ts';
import { waterfallOf } from '../liquidation-read.ts';

/** An asset's tiers, liquidation and redemption pools. Errors: bad_request, not_found of an unknown asset. */
export const liquidationRoute: Route = {
  path: '/v1/assets/{id}/liquidation',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const assetId = parseAssetId(pathParam(request, 'id'));
    const [asset, waterfall] = await Promise.all([assetOf(context, assetId), waterfallOf(context, assetId)]);
    if (asset === undefined) throw new StrataError('not_found', 'no asset has this id');
    return { parts: [JSON.stringify({ asset_id: assetId, status: asset.status, ...waterfall })] };
  },
};
