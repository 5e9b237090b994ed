-- Bank transfer events. amount is the coin list as the node printed it.
CREATE TABLE IF NOT EXISTS transfers
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(ZSTD(1)),
    sender String CODEC(ZSTD(1)),
    recipient String CODEC(ZSTD(1)),
    amount String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
