import { delta, i64big, text, u32, u64, u256 } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/** Addresses are 0x and 40 lower-case hex digits. Amounts are in base units of the token. */
const PLACE = {
  height: delta(u64),
  tx_index: u32,
  log_index: u32,
  time_ns: delta(i64big),
};

/** The pairs that the configured factory has made (PairCreated). */
export const DEX_PAIRS = derivedTable({
  name: 'dex_pairs',
  module: 'dex',
  order: ['token0', 'token1', 'height', 'tx_index', 'log_index'],
  columns: { pair: text, token0: text, token1: text, ...PLACE },
});

/**
 * A pair's reserves after each Sync. `slot` counts tens of seconds since 1970. `before_…` is the pair's last Sync of two
 * reserves before this one, where that is of an earlier slot or this one has a reserve of 0; else, and where there is
 * none, 0.
 */
export const DEX_SYNCS = derivedTable({
  name: 'dex_syncs',
  module: 'dex',
  order: ['pair', 'slot', 'height', 'tx_index', 'log_index'],
  granularity: 128,
  settings: { min_compress_block_size: 4096, max_compress_block_size: 16384 },
  columns: {
    pair: text,
    slot: delta(u32),
    ...PLACE,
    reserve0: u256,
    reserve1: u256,
    before_time_ns: i64big,
    before_reserve0: u256,
    before_reserve1: u256,
  },
});

/**
 * Of each pair, and each span of block time that is over for it, the last Sync of two reserves: a view makes the row of
 * the Sync that is the first of a later one, whose height it carries. The last of each span that a pair has a Sync in has
 * no row yet. `bucket` counts the spans of that length since 1970.
 */
export const DEX_CLOSES = derivedTable({
  name: 'dex_closes',
  module: 'dex',
  order: ['pair', 'span', 'bucket'],
  granularity: 128,
  settings: { min_compress_block_size: 4096, max_compress_block_size: 16384 },
  also: ['INDEX height_range height TYPE minmax GRANULARITY 16'],
  filledBy: `SELECT generation, pair, span, toUInt32(intDiv(before_time_ns, span * 1000000000)) AS bucket, height,
    before_time_ns AS close_ns, before_reserve0 AS close0, before_reserve1 AS close1
FROM dex_syncs
ARRAY JOIN [toUInt32(10), toUInt32(60), toUInt32(600), toUInt32(3600), toUInt32(21600), toUInt32(86400)] AS span
WHERE before_reserve0 > 0 AND reserve0 > 0 AND reserve1 > 0
    AND intDiv(before_time_ns, span * 1000000000) != intDiv(time_ns, span * 1000000000)`,
  columns: {
    pair: text,
    // in seconds, one of SPANS in chart.ts
    span: u32,
    bucket: delta(u32),
    height: delta(u64),
    close_ns: delta(i64big),
    close0: u256,
    close1: u256,
  },
});

/**
 * `volume0`, `volume1` and `swaps` add up the pair's swaps up to this one, itself included (amount_in + amount_out of a
 * token, modulo 2^256), so that those of any time are the difference of two rows.
 */
export const DEX_SWAPS = derivedTable({
  name: 'dex_swaps',
  module: 'dex',
  order: ['pair', 'time_ns', 'height', 'tx_index', 'log_index'],
  granularity: 128,
  settings: { min_compress_block_size: 4096, max_compress_block_size: 16384 },
  columns: {
    pair: text,
    ...PLACE,
    sender: text,
    recipient: text,
    amount0_in: u256,
    amount1_in: u256,
    amount0_out: u256,
    amount1_out: u256,
    volume0: u256,
    volume1: u256,
    swaps: delta(u64),
  },
});

/** Liquidity that was added. */
export const DEX_MINTS = derivedTable({
  name: 'dex_mints',
  module: 'dex',
  order: ['pair', 'height', 'tx_index', 'log_index'],
  columns: {
    pair: text,
    ...PLACE,
    sender: text,
    amount0: u256,
    amount1: u256,
  },
});
