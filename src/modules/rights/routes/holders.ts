import { StrataError } from 'strata-kit/errors';
import { walkHeight } from '../../../api/as-of.ts';
import { heightField, int256Field, textField } from '../../../api/cursor-fields.ts';
import { parseAssetId, parseKindId, parseLimit } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { assetOf } from '../../asset/assets-read.ts';
import { holderJson } from '../holder-json.ts';
import { holdersAfter, locksOfHolders } from '../holders-read.ts';
import { positionEncumbranceJson, positionEncumbrances } from '../position-encumbrances.ts';

const PATH = '/v1/assets/{id}/kinds/{kind}/holders';
/** Of a cursor: the walk's height, then the last holder's units and account. */
const PLACE = [heightField, int256Field, textField] as const;

/**
 * A kind's holders, by units descending, then holder ascending. Their order changes, so that a cursor carries the height
 * of the first page, as of which every page of a walk is read; as nothing of it is ever dropped, none is too old.
 */
export const holdersRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const { snapshot, cursors } = context;
    const assetId = parseAssetId(pathParam(request, 'id'));
    const kindId = parseKindId(pathParam(request, 'kind'));
    const limit = parseLimit(request.query.get('limit'));
    const scope = [PATH, assetId, String(kindId)];
    const cursor = request.query.get('cursor');
    const place = cursor === undefined ? undefined : cursors.decodeKey(scope, cursor, PLACE);
    const height = place === undefined ? snapshot.indexedHeight : walkHeight(snapshot, place[0]);
    const order = { assetId, kindId, height };
    const from = place === undefined ? undefined : { units: place[1], holder: place[2] };
    const [asset, found] = await Promise.all([
      assetOf(context, assetId),
      holdersAfter(context, order, from, limit + 1),
    ]);
    if (asset === undefined) throw new StrataError('not_found', 'no such asset');
    if (!asset.kinds.some((kind) => kind.kindId === kindId)) {
      throw new StrataError('not_found', 'the asset has no such kind');
    }
    const places = found.slice(0, limit);
    const locks = await locksOfHolders(
      context,
      order,
      places.map(({ holder }) => holder),
    );
    const encumbrances = await positionEncumbrances(context, locks, order.height);
    const last = found.length > limit ? places.at(-1) : undefined;
    const next =
      last === undefined
        ? null
        : cursors.encodeKey(scope, [String(order.height), String(last.units), last.holder]);
    const holders = places.map((place) => {
      const behind = (encumbrances.get(place.holder) ?? []).map(positionEncumbranceJson);
      const holder = JSON.stringify(holderJson(place, locks.get(place.holder)));
      return `${holder.slice(0, -1)},"encumbrances":[${behind.join(',')}]}`;
    });
    return {
      parts: [
        `{"asset_id":"${assetId}","kind_id":${kindId},"holders":[${holders.join(',')}],` +
          `"next_cursor":${JSON.stringify(next)}}`,
      ],
    };
  },
};
