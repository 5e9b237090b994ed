-- Versions, by party ('*' for all), of the least id that is pending; 2^64 - 1 where none is.
CREATE TABLE IF NOT EXISTS settlement_floors
(
    generation UInt32 CODEC(ZSTD(1)),
    party String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    oldest_pending UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (party, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
