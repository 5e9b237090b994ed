-- The versions of settled_income by whoever may claim.
CREATE TABLE IF NOT EXISTS settled_income_by_account
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    account String CODEC(ZSTD(1)),
    ref String CODEC(ZSTD(1)),
    denom LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    last_index String CODEC(ZSTD(1)),
    accrued Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, asset_id, kind_id, ref, denom, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
