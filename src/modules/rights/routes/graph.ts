import { StrataError } from 'strata-kit/errors';
import { parseAssetId } from '../../../api/params.ts';
import { pathParam, type Route, type RouteContext } from '../../../api/route.ts';
import { assetOf } from '../../asset/assets-read.ts';
import { type HolderJson, holderJson } from '../holder-json.ts';
import { holdersAfter, locksOfHolders } from '../holders-read.ts';
import { kindTotals, NO_TOTALS } from '../positions-read.ts';

/** api.md, section 8. */
const MAX_HOLDERS = 100;

/** Each kind of an asset with its greatest holders. */
export const graphRoute: Route = {
  path: '/v1/assets/{id}/graph',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const assetId = parseAssetId(pathParam(request, 'id'));
    const asset = await assetOf(context, assetId);
    if (asset === undefined) throw new StrataError('not_found', 'no such asset');
    const totals = await kindTotals(context, assetId);
    const kinds = [];
    for (const { kindId, class: kindClass } of asset.kinds) {
      const { supply, holderCount } = totals.get(kindId) ?? NO_TOTALS;
      const holders = holderCount === 0 ? [] : await greatestHolders(context, assetId, kindId);
      kinds.push({ kind_id: kindId, class: kindClass, supply: String(supply), holders });
    }
    const answer = { asset_id: assetId, status: asset.status, kinds };
    return { parts: [JSON.stringify(answer)] };
  },
};

async function greatestHolders(
  context: RouteContext,
  assetId: string,
  kindId: number,
): Promise<readonly HolderJson[]> {
  const order = { assetId, kindId, height: context.snapshot.indexedHeight };
  const places = await holdersAfter(context, order, undefined, MAX_HOLDERS);
  const locks = await locksOfHolders(
    context,
    order,
    places.map(({ holder }) => holder),
  );
  return places.map((place) => holderJson(place, locks.get(place.holder)));
}
