-- What the chain told of itself and what this store was made with; the newest version of a key counts.
CREATE TABLE IF NOT EXISTS facts
(
    key String,
    value String CODEC(ZSTD(1)),
    version UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY key
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0
