-- Swaps of pairs: what went in and out, in base units of each token; volume0, volume1 (in + out, modulo 2^256) and swaps
-- add up the pair's, this one included.
CREATE TABLE IF NOT EXISTS dex_swaps
(
    generation UInt32 CODEC(ZSTD(1)),
    pair String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    log_index UInt32 CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    sender String CODEC(ZSTD(1)),
    recipient String CODEC(ZSTD(1)),
    amount0_in UInt256 CODEC(ZSTD(1)),
    amount1_in UInt256 CODEC(ZSTD(1)),
    amount0_out UInt256 CODEC(ZSTD(1)),
    amount1_out UInt256 CODEC(ZSTD(1)),
    volume0 UInt256 CODEC(ZSTD(1)),
    volume1 UInt256 CODEC(ZSTD(1)),
    swaps UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, time_ns, height, tx_index, log_index)
SETTINGS
    index_granularity = 128,
    min_compress_block_size = 4096,
    max_compress_block_size = 16384,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
