import { utcDaysUntil } from 'strata-kit/time';
import { parseLimit } from '../params.ts';
import type { Route, RouteContext } from '../route.ts';
import { txListJson } from '../tx-json.ts';
import { newestTxs } from '../tx-page.ts';

const DEFAULT_LATEST_TXS = 6;
const DAYS = 14;

/** Stats. `limit` is the number of latest txs. While nothing is indexed the days end on 1970-01-01. */
export const statsRoute: Route = {
  path: '/v1/stats',
  query: ['limit'],
  cache: 'head',
  handle: async (request, context) => {
    const limit = parseLimit(request.query.get('limit'), DEFAULT_LATEST_TXS);
    const [txs, counts, daily] = await Promise.all([
      newestTxs(context, limit),
      context.methodCounts(),
      txDaily(context),
    ]);
    return {
      parts: [
        `{"indexed_height":${context.snapshot.indexedHeight},"tx_count":${counts.total},"latest_txs":`,
        ...txListJson(txs, context.derivedTypes),
        `,"tx_daily":${JSON.stringify(daily)}}`,
      ],
    };
  },
};

/** The UTC days that end on the latest block's day, oldest first, zero-filled (api.md, rule 5). */
async function txDaily(context: RouteContext): Promise<readonly { day: string; count: number }[]> {
  const { latestBlockTimeNs } = context.snapshot;
  const counts = await context.dayCounts();
  return utcDaysUntil(latestBlockTimeNs, DAYS).map((day) => ({ day, count: counts.get(day) ?? 0 }));
}
