import type { DerivedTable } from '../../core/tables.ts';

/** Addresses are 0x and 40 lower-case hex digits. Amounts are in base units of the token. */
const PLACE = [
  ['height', 'UInt64'],
  ['tx_index', 'UInt32'],
  ['log_index', 'UInt32'],
  ['time_ns', 'Int64'],
] as const;

/** The pairs that the configured factory has made (PairCreated). */
export const DEX_PAIRS = {
  name: 'dex_pairs',
  module: 'dex',
  key: [],
  columns: [['pair', 'String'], ['token0', 'String'], ['token1', 'String'], ...PLACE],
} as const satisfies DerivedTable;

/**
 * A pair's reserves after each Sync. `slot` counts tens of seconds since 1970. `before_…` is the pair's last Sync of two
 * reserves before this one, where that is of an earlier slot or this one has a reserve of 0; else, and where there is
 * none, 0.
 */
export const DEX_SYNCS = {
  name: 'dex_syncs',
  module: 'dex',
  key: [],
  columns: [
    ['pair', 'String'],
    ['slot', 'UInt32'],
    ...PLACE,
    ['reserve0', 'UInt256'],
    ['reserve1', 'UInt256'],
    ['before_time_ns', 'Int64'],
    ['before_reserve0', 'UInt256'],
    ['before_reserve1', 'UInt256'],
  ],
} as const satisfies DerivedTable;

/**
 * Of each pair, and each span of block time that is over for it, the last Sync of two reserves: a view makes the row of
 * the Sync that is the first of a later one, whose height it carries. The last of each span that a pair has a Sync in has
 * no row yet. `bucket` counts the spans of that length since 1970.
 */
export const DEX_CLOSES = {
  name: 'dex_closes',
  module: 'dex',
  key: [],
  columns: [
    ['pair', 'String'],
    // in seconds, one of SPANS in chart.ts
    ['span', 'UInt32'],
    ['bucket', 'UInt32'],
    ['height', 'UInt64'],
    ['close_ns', 'Int64'],
    ['close0', 'UInt256'],
    ['close1', 'UInt256'],
  ],
} as const satisfies DerivedTable;

/**
 * `volume0`, `volume1` and `swaps` add up the pair's swaps up to this one, itself included (amount_in + amount_out of a
 * token, modulo 2^256), so that those of any time are the difference of two rows.
 */
export const DEX_SWAPS = {
  name: 'dex_swaps',
  module: 'dex',
  key: [],
  columns: [
    ['pair', 'String'],
    ...PLACE,
    ['sender', 'String'],
    ['recipient', 'String'],
    ['amount0_in', 'UInt256'],
    ['amount1_in', 'UInt256'],
    ['amount0_out', 'UInt256'],
    ['amount1_out', 'UInt256'],
    ['volume0', 'UInt256'],
    ['volume1', 'UInt256'],
    ['swaps', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/** Liquidity that was added. */
export const DEX_MINTS = {
  name: 'dex_mints',
  module: 'dex',
  key: [],
  columns: [
    ['pair', 'String'],
    ...PLACE,
    ['sender', 'String'],
    ['amount0', 'UInt256'],
    ['amount1', 'UInt256'],
  ],
} as const satisfies DerivedTable;
