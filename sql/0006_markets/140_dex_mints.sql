-- Liquidity that was added to pairs, in base units of each token.
CREATE TABLE IF NOT EXISTS dex_mints
(
    generation UInt32 CODEC(ZSTD(1)),
    pair String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    log_index UInt32 CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    sender String CODEC(ZSTD(1)),
    amount0 UInt256 CODEC(ZSTD(1)),
    amount1 UInt256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, height, tx_index, log_index)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
