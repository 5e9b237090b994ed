import { StrataError } from 'strata-kit/errors';
import { parseAssetId } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { accrualsOf } from '../../payout/accruals-read.ts';
import { latestAssetCheck } from '../../reconciliation/checks-read.ts';
import { kindTotals } from '../../rights/positions-read.ts';
import { assetText } from '../asset-json.ts';
import { assetOf } from '../assets-read.ts';

/** One asset, whole: its kinds with their supply, its income, and how it last compared with the chain. */
export const assetRoute: Route = {
  path: '/v1/assets/{id}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const assetId = parseAssetId(pathParam(request, 'id'));
    const asset = await assetOf(context, assetId);
    if (asset === undefined) throw new StrataError('not_found', `there is no asset ${assetId}`);
    const [accruals, totals, check] = await Promise.all([
      accrualsOf(context, assetId),
      kindTotals(context, assetId),
      latestAssetCheck(context, assetId),
    ]);
    return { parts: ['{"asset":', assetText(asset, { accruals, totals, check }), '}'] };
  },
};
