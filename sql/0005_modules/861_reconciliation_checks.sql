-- What a run compared: the chain's side and the indexer's as JSON. Repeating a check at a height replaces its row.
CREATE TABLE IF NOT EXISTS reconciliation_checks
(
    check LowCardinality(String),
    asset_id String CODEC(ZSTD(1)),
    kind_id Int64 CODEC(ZSTD(1)),
    subject String CODEC(ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    sequence UInt64 CODEC(ZSTD(1)),
    evaluated UInt8 CODEC(ZSTD(1)),
    agree UInt8 CODEC(ZSTD(1)),
    chain String CODEC(ZSTD(1)),
    indexer String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(sequence)
ORDER BY (check, asset_id, kind_id, subject, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
