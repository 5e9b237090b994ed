-- Versions of settlements. Legs are proto-JSON, hashes hex, times of the chain RFC 3339.
CREATE TABLE IF NOT EXISTS settlements
(
    generation UInt32 CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    proposer String CODEC(ZSTD(1)),
    counterparty String CODEC(ZSTD(1)),
    legs String CODEC(ZSTD(1)),
    expiry String CODEC(ZSTD(1)),
    status LowCardinality(String),
    memo_hash String CODEC(ZSTD(1)),
    cancel_reason LowCardinality(String),
    created_height UInt64 CODEC(ZSTD(1)),
    created_time_ns Int64 CODEC(ZSTD(1)),
    created_tx_hash FixedString(32) CODEC(ZSTD(1)),
    ended_height UInt64 CODEC(ZSTD(1)),
    ended_time_ns Int64 CODEC(ZSTD(1)),
    ended_tx_hash FixedString(32) CODEC(ZSTD(1)),
    end_actor String CODEC(ZSTD(1))
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
