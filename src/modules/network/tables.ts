import type { DerivedTable } from '../../core/tables.ts';

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
export const NETWORK_COUNTS = {
  name: 'network_counts',
  module: 'network',
  key: [],
  columns: [
    ['height', 'UInt64'],
    ['time_ns', 'Int64'],
    ['day', 'UInt32'],
    ['transactions', 'UInt64'],
    ['evm_transactions', 'UInt64'],
    ['accounts', 'UInt64'],
    ['active_addresses', 'UInt64'],
    ['assets', 'UInt64'],
    ['community_assets', 'UInt64'],
    ['settlements_settled', 'UInt64'],
    ['distributions', 'UInt64'],
    ['distributed_stable', 'Int256'],
    ['swaps', 'UInt64'],
    ['liquidity_adds', 'UInt64'],
    ['loans_repaid', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/**
 * One row a day on which any total changes, at the first such block: what there was before it. transactions and swaps in
 * all; active_addresses of the day whose row is the one before.
 */
export const NETWORK_DAYS = {
  name: 'network_days',
  module: 'network',
  key: [],
  columns: [
    ['day', 'UInt32'],
    ['height', 'UInt64'],
    ['transactions', 'UInt64'],
    ['active_addresses', 'UInt64'],
    ['swaps', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/**
 * One row an account and day on which it took part in a tx, at the first such block. is_new: it never did before.
 */
export const ACCOUNT_DAYS = {
  name: 'account_days',
  module: 'network',
  key: ['account'],
  columns: [
    ['account', 'String'],
    ['height', 'UInt64'],
    ['day', 'UInt32'],
    ['is_new', 'UInt8'],
  ],
} as const satisfies DerivedTable;
