-- Versions of what a kind adds up to: supply as the events moved it, positions and encumbered over its holders.
CREATE TABLE IF NOT EXISTS kind_totals
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    supply Int256 CODEC(ZSTD(1)),
    positions Int256 CODEC(ZSTD(1)),
    encumbered Int256 CODEC(ZSTD(1)),
    holder_count UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
