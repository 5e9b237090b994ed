import { delta, flag, i64big, i256, text, u32, u64 } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/** What is counted from the chain's first block on. */
export const TOTALS = [
  'transactions',
  'evm_transactions',
  'accounts',
  'assets',
  'community_assets',
  'settlements_settled',
  'distributions',
  'swaps',
  'liquidity_adds',
  'loans_repaid',
] as const;
export type Total = (typeof TOTALS)[number];

/**
 * One row a block in which a total changes: all of them up to and with that block. day counts UTC days since 1970 and
 * never goes back; active_addresses took part in a tx of that day so far.
 */
export const NETWORK_COUNTS = derivedTable({
  name: 'network_counts',
  module: 'network',
  granularity: 512,
  columns: {
    height: delta(u64),
    time_ns: delta(i64big),
    day: delta(u32),
    transactions: delta(u64),
    evm_transactions: delta(u64),
    accounts: delta(u64),
    active_addresses: delta(u64),
    assets: delta(u64),
    community_assets: delta(u64),
    settlements_settled: delta(u64),
    distributions: delta(u64),
    distributed_stable: i256,
    swaps: delta(u64),
    liquidity_adds: delta(u64),
    loans_repaid: delta(u64),
  },
});

/**
 * One row a day on which any total changes, at the first such block: what there was before it. transactions and swaps in
 * all; active_addresses of the day whose row is the one before.
 */
export const NETWORK_DAYS = derivedTable({
  name: 'network_days',
  module: 'network',
  order: ['day'],
  granularity: 512,
  columns: {
    day: delta(u32),
    height: delta(u64),
    transactions: delta(u64),
    active_addresses: delta(u64),
    swaps: delta(u64),
  },
});

/**
 * One row an account and day on which it took part in a tx, at the first such block. is_new: it never did before.
 */
export const ACCOUNT_DAYS = derivedTable({
  name: 'account_days',
  module: 'network',
  key: ['account'],
  granularity: 512,
  columns: {
    account: text,
    height: delta(u64),
    day: delta(u32),
    is_new: flag,
  },
});
