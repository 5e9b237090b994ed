-- Keys of txs by the type URL of their first message: the page of a method filter.
CREATE TABLE IF NOT EXISTS txs_by_method
(
    method LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (method, height, tx_index)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0,
    auto_statistics_types = ''
