-- One row a height whose results no node gave as they should be, and that was kept all the same (--accept-bad-blocks).
CREATE TABLE IF NOT EXISTS bad_blocks
(
    height UInt64 CODEC(ZSTD(1)),
    reason LowCardinality(String),
    message String CODEC(ZSTD(1)),
    node LowCardinality(String),
    results_sha256 FixedString(32),
    written_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
