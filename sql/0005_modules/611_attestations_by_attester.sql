-- The versions of attestations in the order in which an attester's are counted.
CREATE TABLE IF NOT EXISTS attestations_by_attester
(
    generation UInt32 CODEC(ZSTD(1)),
    subject String CODEC(ZSTD(1)),
    type LowCardinality(String),
    attester String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    expiry_ns Int256 CODEC(ZSTD(1)),
    revoked UInt8 CODEC(ZSTD(1)),
    evidence_hash String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (attester, type, subject, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
