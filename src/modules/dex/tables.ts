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

/** A pair's reserves after each Sync. */
export const DEX_SYNCS = {
  name: 'dex_syncs',
  module: 'dex',
  key: [],
  columns: [['pair', 'String'], ...PLACE, ['reserve0', 'UInt256'], ['reserve1', 'UInt256']],
} as const satisfies DerivedTable;

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
