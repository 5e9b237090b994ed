-- The pairs that the configured factory has made. Addresses here are 0x and 40 lower-case hex digits.
CREATE TABLE IF NOT EXISTS dex_pairs
(
    generation UInt32 CODEC(ZSTD(1)),
    pair String CODEC(ZSTD(1)),
    token0 String CODEC(ZSTD(1)),
    token1 String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    log_index UInt32 CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (token0, token1, height, tx_index, log_index)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
