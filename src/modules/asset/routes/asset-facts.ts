import { parseAssetIds } from '../../../api/params.ts';
import type { Route } from '../../../api/route.ts';
import { type AssetVersion, assetOf } from '../assets-read.ts';

/**
 * What a page needs to show amounts of many assets: one answer for all of them, unknown ones left out. An extension: the
 * contract has one route for one asset.
 */
export const assetFactsRoute: Route = {
  path: '/v1/x/assets',
  query: ['ids'],
  cache: 'head',
  handle: async ({ query }, context) => {
    const ids = parseAssetIds(query.get('ids'));
    const found = await Promise.all(ids.map((id) => assetOf(context, id)));
    const assets = found.flatMap((asset) => (asset === undefined ? [] : [factsOf(asset)]));
    return { parts: [JSON.stringify({ assets })] };
  },
};

function factsOf({ id, metaHash, kinds }: AssetVersion): object {
  return {
    asset_id: id,
    meta_hash: metaHash,
    kinds: kinds.map(({ kindId, class: kindClass, decimals, bundle }) => ({
      kind_id: kindId,
      class: kindClass,
      decimals,
      bundle,
    })),
  };
}
