-- The chain's height as the indexing process last saw it.
CREATE TABLE IF NOT EXISTS source_heads
(
    id UInt8,
    chain_height UInt64
)
ENGINE = ReplacingMergeTree(chain_height)
ORDER BY id
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0
