import { parseAssetId } from '../../../api/params.ts';
import type { Route } from '../../../api/route.ts';
import { latestChecks, tokenChecks } from '../checks-read.ts';
import { driftRows, exportChecks } from '../drift-read.ts';

/** What the last comparisons with the chain found and what drifted, of one asset or of all. */
export const invariantsRoute: Route = {
  path: '/v1/invariants',
  query: ['asset'],
  cache: 'head',
  handle: async ({ query }, context) => {
    const asset = query.get('asset');
    const assetId = asset === undefined ? undefined : parseAssetId(asset);
    const [checks, tokens, exports, drift] = await Promise.all([
      latestChecks(context, assetId),
      tokenChecks(context, assetId),
      exportChecks(context),
      driftRows(context, assetId),
    ]);
    return { parts: [JSON.stringify({ checks, tok20_registry: tokens, exports, drift })] };
  },
};
