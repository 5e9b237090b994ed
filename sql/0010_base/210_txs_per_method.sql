-- Tx counts per first-message type, one row per insert and method; height is the greatest it covers, so that
-- the start-up repair and readers treat a commit's rows alike. Sum txs over the rows at or below the checkpoint.
CREATE TABLE IF NOT EXISTS txs_per_method
(
    height UInt64,
    method LowCardinality(String),
    txs UInt64
)
ENGINE = MergeTree
ORDER BY (height, method)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0,
    auto_statistics_types = ''
