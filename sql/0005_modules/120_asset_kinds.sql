-- Versions of an asset's kinds. term is JSON, empty without one; override_mode is empty where the asset's policy holds.
CREATE TABLE IF NOT EXISTS asset_kinds
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    class LowCardinality(String),
    decimals UInt32 CODEC(ZSTD(1)),
    bundle UInt8 CODEC(ZSTD(1)),
    transferable UInt8 CODEC(ZSTD(1)),
    term String CODEC(ZSTD(1)),
    multiplier UInt64 CODEC(ZSTD(1)),
    bridgeable UInt8 CODEC(ZSTD(1)),
    override_mode LowCardinality(String),
    override_types Array(String) CODEC(ZSTD(1)),
    override_attesters Array(String) CODEC(ZSTD(1)),
    address FixedString(20) CODEC(NONE)
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
