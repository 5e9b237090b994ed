-- Which asset's bundle, or kind, lives at an address of the EVM.
CREATE TABLE IF NOT EXISTS asset_tokens
(
    generation UInt32 CODEC(ZSTD(1)),
    address FixedString(20) CODEC(NONE),
    height UInt64 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    bundle UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (address, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
