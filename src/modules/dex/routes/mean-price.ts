import { formatTimeNs } from 'strata-kit/time';
import type { Route } from '../../../api/route.ts';
import { MEAN_SECONDS, meanLogRatio, priceOfLog } from '../mean.ts';
import { poolState } from '../pools-read.ts';
import { pricedPoolOf, pricedSyncs, priceOf, reservesOf } from '../priced-pool.ts';

/**
 * A pool's price beside its time-weighted geometric mean, both as of one head. The mean is of logarithms: the weight of a
 * price in it grows with the time it was held and hardly with its height, so that one absurd block does not move it.
 */
export const meanPriceRoute: Route = {
  path: '/v1/x/prices/{asset}/mean',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const { snapshot } = context;
    const priced = await pricedPoolOf(request, context);
    const { first, last } = pricedSyncs(await poolState(context, priced.pool));
    const log = await meanLogRatio(context, priced.pool);
    const reserves = reservesOf(priced, last);
    const body = {
      ...priced.facts,
      as_of: formatTimeNs(snapshot.latestBlockTimeNs),
      height: snapshot.indexedHeight,
      price: String(priceOf(priced, last)),
      mean_price: String(priceOfLog(priced.isBase0 ? log : -log, priced.unit)),
      window_seconds: MEAN_SECONDS,
      first_sync_at: formatTimeNs(first.timeNs),
      reserves: { base: String(reserves.base), quote: String(reserves.quote) },
    };
    return { parts: [JSON.stringify(body)] };
  },
};
