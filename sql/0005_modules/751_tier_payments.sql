-- Versions of what a tier was paid in all, by denom.
CREATE TABLE IF NOT EXISTS tier_payments
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    tier UInt32 CODEC(ZSTD(1)),
    denom LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    cumulative_paid Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, tier, denom, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
