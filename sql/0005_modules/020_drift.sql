-- Values of events that are not the derived ones; field is `record` where nobody told of what an event is about.
CREATE TABLE IF NOT EXISTS drift
(
    generation UInt32 CODEC(ZSTD(1)),
    module LowCardinality(String),
    height UInt64 CODEC(ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(ZSTD(1)),
    type LowCardinality(String),
    field LowCardinality(String),
    derived String CODEC(ZSTD(1)),
    told String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (height, tx_index, event_index, field)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
