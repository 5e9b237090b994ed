-- The key that signs the API's cursors: the oldest row counts. SQL readers may not read it, and backups leave it out.
CREATE TABLE IF NOT EXISTS cursor_keys
(
    created_ns Int64,
    key FixedString(32)
)
ENGINE = MergeTree
ORDER BY (created_ns, key)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0
