import { utcDaysUntil } from 'strata-kit/time';
import type { Route } from '../../../api/route.ts';
import { networkDays, networkTotals } from '../network-read.ts';

const DAYS = 14;

/** NetworkStats. While nothing is indexed the days end on 1970-01-01. */
export const networkStatsRoute: Route = {
  path: '/v1/stats/network',
  query: [],
  cache: 'head',
  handle: async (_request, context) => {
    const { indexedHeight, latestBlockTimeNs } = context.snapshot;
    const last = Math.floor(Number(latestBlockTimeNs / 1_000_000_000n) / 86_400);
    const [totals, days] = await Promise.all([networkTotals(context), networkDays(context, last, DAYS)]);
    const names = utcDaysUntil(latestBlockTimeNs, DAYS);
    const answer = {
      indexed_height: indexedHeight,
      totals: {
        transactions: totals.transactions,
        evm_transactions: totals.evm_transactions,
        accounts: totals.accounts,
        assets: totals.assets,
        community_assets: totals.community_assets,
        settlements_settled: totals.settlements_settled,
        distributions: totals.distributions,
        distributed_stable: totals.distributed_stable,
        swaps: totals.swaps,
        liquidity_adds: totals.liquidity_adds,
        loans_repaid: totals.loans_repaid,
      },
      daily: days.map(({ transactions, activeAddresses, swaps }, i) => ({
        day: names[i],
        transactions,
        active_addresses: activeAddresses,
        swaps,
      })),
    };
    return { parts: [JSON.stringify(answer)] };
  },
};
