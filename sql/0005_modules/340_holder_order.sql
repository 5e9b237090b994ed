-- Holders by their units: sign -1 takes away a place that a holder had, 1 gives one; neg is -units. A bucket is 64 heights.
CREATE TABLE IF NOT EXISTS holder_order
(
    generation UInt32 CODEC(ZSTD(1)),
    bucket UInt64 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    neg Int256 CODEC(ZSTD(1)),
    holder String CODEC(ZSTD(1)),
    sign Int8 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (bucket, asset_id, kind_id, neg, holder)
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
