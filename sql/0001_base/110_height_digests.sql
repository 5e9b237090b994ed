-- SHA-256 over every decoded row of a height, in a canonical encoding.
CREATE TABLE IF NOT EXISTS height_digests
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    digest FixedString(32) CODEC(NONE)
)
ENGINE = MergeTree
ORDER BY height
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
