-- What is left of holder_order's rows over ranges of so many heights (span), of which height is the last.
CREATE TABLE IF NOT EXISTS holder_order_sums
(
    generation UInt32 CODEC(ZSTD(1)),
    span UInt32 CODEC(ZSTD(1)),
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
ORDER BY (span, bucket, asset_id, kind_id, neg, holder)
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
