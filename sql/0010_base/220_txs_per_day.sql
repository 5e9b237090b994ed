-- Tx counts per UTC day of block time, rows as in txs_per_method.
CREATE TABLE IF NOT EXISTS txs_per_day
(
    height UInt64,
    day Date32,
    txs UInt64
)
ENGINE = MergeTree
ORDER BY (height, day)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0,
    auto_statistics_types = ''
