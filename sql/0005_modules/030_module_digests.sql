-- A SHA-256 over the rows that a module has at a height, its drift included.
CREATE TABLE IF NOT EXISTS module_digests
(
    generation UInt32 CODEC(ZSTD(1)),
    module LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    digest FixedString(32) CODEC(NONE)
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (height, module)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
