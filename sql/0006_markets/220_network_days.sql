-- What there was before each day on which anything happened, at its first such block.
CREATE TABLE IF NOT EXISTS network_days
(
    generation UInt32 CODEC(ZSTD(1)),
    day UInt32 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    transactions UInt64 CODEC(Delta, ZSTD(1)),
    active_addresses UInt64 CODEC(Delta, ZSTD(1)),
    swaps UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY day
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
