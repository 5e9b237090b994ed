-- The sides of each transfer, in the order in which an account's are listed.
CREATE TABLE IF NOT EXISTS bridge_transfers_by_account
(
    generation UInt32 CODEC(ZSTD(1)),
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index Int32 CODEC(ZSTD(1)),
    route_id String CODEC(ZSTD(1)),
    status LowCardinality(String),
    message_id String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height, tx_index, event_index)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
