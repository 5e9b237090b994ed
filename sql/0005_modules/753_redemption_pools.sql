-- Versions of what a kind's units are redeemed for. units: the kind's supply at the pool's opening.
CREATE TABLE IF NOT EXISTS redemption_pools
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    denom LowCardinality(String),
    amount Int256 CODEC(ZSTD(1)),
    units Int256 CODEC(ZSTD(1)),
    remaining_amount Int256 CODEC(ZSTD(1)),
    remaining_units Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
