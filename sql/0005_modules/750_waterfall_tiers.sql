-- Versions of the tiers of an asset's waterfall; dropped ones have gone with a later waterfall. A cap of 0 is none.
CREATE TABLE IF NOT EXISTS waterfall_tiers
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    tier UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    cap Int256 CODEC(ZSTD(1)),
    dropped UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, tier, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
