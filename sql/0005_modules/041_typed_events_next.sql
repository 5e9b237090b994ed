-- Typed events with their proto-JSON: the facts that the modules derive from. code is the tx's, 0 for block-level.
CREATE TABLE typed_events_next
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(ZSTD(1)),
    type LowCardinality(String),
    mode LowCardinality(String),
    code UInt32 CODEC(ZSTD(1)),
    decoded String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
SETTINGS
    index_granularity = 512,
    index_granularity_bytes = 262144,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0,
    auto_statistics_types = ''
