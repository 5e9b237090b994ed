import { StrataError } from 'strata-kit/errors';
import { parseAssetId } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { hasAsset } from '../../asset/assets-read.ts';
import { feedPage } from '../feed.ts';

const PATH = '/v1/assets/{id}/events';

/** The events that an asset is a subject of; 404 for an unknown one. */
export const assetEventsRoute: Route = {
  path: PATH,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const assetId = parseAssetId(pathParam(request, 'id'));
    const [isKnown, { events, next }] = await Promise.all([
      hasAsset(context, assetId),
      feedPage(request, context, PATH, { assetId }),
    ]);
    if (!isKnown) throw new StrataError('not_found', `there is no asset ${assetId}`);
    return {
      parts: [`{"asset_id":"${assetId}","events":`, ...events, `,"next_cursor":${JSON.stringify(next)}}`],
    };
  },
};
