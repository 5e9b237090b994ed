-- Versions of delegations. Times of the chain are RFC 3339.
CREATE TABLE IF NOT EXISTS delegations
(
    generation UInt32 CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    holder String CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    units Int256 CODEC(ZSTD(1)),
    delegate String CODEC(ZSTD(1)),
    until String CODEC(ZSTD(1)),
    purposes Array(LowCardinality(String)),
    revocable UInt8 CODEC(ZSTD(1)),
    ended LowCardinality(String),
    created_height UInt64 CODEC(ZSTD(1)),
    created_tx_hash FixedString(32) CODEC(ZSTD(1)),
    ended_height UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (id, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
