import { formatTimeNs } from 'strata-kit/time';
import type { Route } from '../route.ts';

/**
 * Status. While nothing is indexed: indexed_height 0 and latest_block_time 1970-01-01T00:00:00Z, so that both lags
 * tell the truth of an index that has everything before it.
 */
export const statusRoute: Route = {
  path: '/v1/status',
  query: [],
  cache: 'none',
  handle: (_request, { snapshot, clock }) => {
    const lagMs = clock.nowMs() - Number(snapshot.latestBlockTimeNs / 1_000_000n);
    const status = {
      indexed_height: snapshot.indexedHeight,
      chain_height: snapshot.chainHeight,
      lag_blocks: Math.max(0, snapshot.chainHeight - snapshot.indexedHeight),
      latest_block_time: formatTimeNs(snapshot.latestBlockTimeNs),
      wall_clock_lag_seconds: Math.max(0, Math.floor(lagMs / 1000)),
      drift_total: snapshot.driftTotal,
    };
    return { parts: [JSON.stringify(status)] };
  },
};
