-- Versions of encumbrances: units are those still locked. Hashes are hex, times of the chain RFC 3339.
CREATE TABLE IF NOT EXISTS encumbrances
(
    generation UInt32 CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    kind LowCardinality(String),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    holder String CODEC(ZSTD(1)),
    units Int256 CODEC(ZSTD(1)),
    beneficiary String CODEC(ZSTD(1)),
    income_to_beneficiary UInt8 CODEC(ZSTD(1)),
    holder_release_after String CODEC(ZSTD(1)),
    exercisable UInt8 CODEC(ZSTD(1)),
    expiry String CODEC(ZSTD(1)),
    evidence_hash String CODEC(ZSTD(1)),
    status LowCardinality(String),
    created_height UInt64 CODEC(ZSTD(1)),
    created_time_ns Int64 CODEC(ZSTD(1)),
    created_tx_hash FixedString(32) CODEC(ZSTD(1)),
    resolved_height UInt64 CODEC(ZSTD(1))
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
