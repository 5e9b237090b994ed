-- Versions of a pledge that routes its units' income from the holder to the beneficiary; units 0 once it has ended.
CREATE TABLE IF NOT EXISTS income_routes
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    beneficiary String CODEC(ZSTD(1)),
    ref String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    holder String CODEC(ZSTD(1)),
    units Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, beneficiary, ref, height)
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
