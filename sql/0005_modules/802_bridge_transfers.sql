-- Transfers: out ones are in_flight, in ones completed, refused ones rejected with event_index -1 and a reason.
-- The remote side is 0x and 64 hex digits.
CREATE TABLE IF NOT EXISTS bridge_transfers
(
    generation UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index Int32 CODEC(ZSTD(1)),
    tx_hash FixedString(32) CODEC(NONE),
    route_id String CODEC(ZSTD(1)),
    direction LowCardinality(String),
    status LowCardinality(String),
    sender String CODEC(ZSTD(1)),
    recipient String CODEC(ZSTD(1)),
    amount Int256 CODEC(ZSTD(1)),
    message_id String CODEC(ZSTD(1)),
    reason LowCardinality(String),
    block_time_ns Int64 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    bundle UInt8 CODEC(ZSTD(1)),
    INDEX routes route_id TYPE bloom_filter GRANULARITY 1,
    INDEX message_ids message_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (height, tx_index, event_index)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
