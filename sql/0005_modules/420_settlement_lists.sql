-- By party ('*' for all) and status, when a settlement came (gone 0) and left again (gone 1).
CREATE TABLE IF NOT EXISTS settlement_lists
(
    generation UInt32 CODEC(ZSTD(1)),
    party String CODEC(ZSTD(1)),
    status LowCardinality(String),
    id UInt64 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    gone UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (party, status, id, height, gone)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
