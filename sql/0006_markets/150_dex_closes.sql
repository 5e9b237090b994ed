-- The last Sync of two reserves of each span of time (span seconds, the bucket-th since 1970) that is over for a pair. height
-- is that of the first Sync behind it, so that a row is there as of a height exactly when its span is over.
CREATE TABLE IF NOT EXISTS dex_closes
(
    generation UInt32 CODEC(ZSTD(1)),
    pair String CODEC(ZSTD(1)),
    span UInt32 CODEC(ZSTD(1)),
    bucket UInt32 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    close_ns Int64 CODEC(Delta, ZSTD(1)),
    close0 UInt256 CODEC(ZSTD(1)),
    close1 UInt256 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 16
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, span, bucket)
SETTINGS
    index_granularity = 128,
    min_compress_block_size = 4096,
    max_compress_block_size = 16384,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
