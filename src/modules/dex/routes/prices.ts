import { StrataError } from 'strata-kit/errors';
import { formatTimeNs } from 'strata-kit/time';
import type { Route } from '../../../api/route.ts';
import { fixedGrid, gridTimes, isRange, valuesAt, wholeGrid } from '../chart.ts';
import { poolState, syncsFor } from '../pools-read.ts';
import { pricedPoolOf, pricedSyncs, priceOf, reservesOf } from '../priced-pool.ts';

const BPS = 10_000n;

/** An asset's price, from the configured factory's pair of its token and the stable one (modules.md rule 15). */
export const pricesRoute: Route = {
  path: '/v1/prices/{asset}',
  query: ['range'],
  cache: 'head',
  handle: async (request, context) => {
    const { snapshot } = context;
    const range = request.query.get('range') ?? '1d';
    if (!isRange(range)) throw new StrataError('bad_request', 'range must be 1d, 1w, 1m or all');
    const priced = await pricedPoolOf(request, context);
    const { pool, isBase0, facts } = priced;

    const headNs = snapshot.latestBlockTimeNs;
    const fixed = fixedGrid(range);
    const [state, early] = await Promise.all([
      poolState(context, pool),
      fixed === undefined ? [] : syncsFor(context, pool, fixed),
    ]);
    const { dayAgo, volumes24h } = state;
    const { first, last } = pricedSyncs(state);
    const grid = fixed ?? wholeGrid(headNs, first.timeNs);
    const syncs = fixed === undefined ? await syncsFor(context, pool, grid) : early;

    const reserves = reservesOf(priced, last);
    const [price, oldPrice] = [priceOf(priced, last), priceOf(priced, dayAgo ?? first)];
    const body = {
      ...facts,
      range,
      as_of: formatTimeNs(headNs),
      height: snapshot.indexedHeight,
      price: String(price),
      price_24h_ago: String(oldPrice),
      // BigInt divides toward zero
      change_24h_bps: String(oldPrice === 0n ? 0n : ((price - oldPrice) * BPS) / oldPrice),
      volume_24h: String(isBase0 ? volumes24h.volume1 : volumes24h.volume0),
      swaps_24h: Number(volumes24h.swaps),
      reserves: { base: String(reserves.base), quote: String(reserves.quote) },
      points: valuesAt(gridTimes(grid, headNs), [...syncs, last]).map(({ timeNs, sync }) => ({
        time: formatTimeNs(timeNs),
        price: String(priceOf(priced, sync)),
      })),
    };
    return { parts: [JSON.stringify(body)] };
  },
};
