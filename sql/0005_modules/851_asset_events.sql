-- The events that an asset is a subject of, in the order of derivation (ordinal). The events stand in typed_events.
CREATE TABLE IF NOT EXISTS asset_events
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    ordinal UInt32 CODEC(ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height, ordinal)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
