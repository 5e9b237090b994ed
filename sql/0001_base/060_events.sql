-- One row an event, without its text. tx_index -1: block-level. msg_index -1: none.
CREATE TABLE IF NOT EXISTS events
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(Delta, ZSTD(1)),
    type LowCardinality(String),
    msg_index Int32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
