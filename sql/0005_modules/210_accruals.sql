-- Versions of what a kind has paid in a denom; income_index and carry_scaled are decimal digits, scaled by 10^18.
CREATE TABLE IF NOT EXISTS accruals
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    denom LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    income_index String CODEC(ZSTD(1)),
    carry_scaled String CODEC(ZSTD(1)),
    total_distributed Int256 CODEC(ZSTD(1)),
    total_paid Int256 CODEC(ZSTD(1)),
    distributions UInt64 CODEC(ZSTD(1)),
    updated_height UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, denom, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
