-- Versions of the income of a route's escrow that was paid to the issuer in all, by denom.
CREATE TABLE IF NOT EXISTS bridge_income
(
    generation UInt32 CODEC(ZSTD(1)),
    route_id String CODEC(ZSTD(1)),
    denom LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    swept Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (route_id, denom, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
