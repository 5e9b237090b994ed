-- Txs of an account by method over a completed range of `span` heights that ends at `height`; see src/store/seals.ts.
CREATE TABLE IF NOT EXISTS account_tx_counts
(
    account String CODEC(ZSTD(1)),
    span UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    method LowCardinality(String),
    txs UInt64 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, span, height, method)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0,
    auto_statistics_types = ''
