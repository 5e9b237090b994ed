-- Versions of an asset's liquidation. pool: funded, and paid neither to tiers nor back; closed_height is 0 while it runs.
CREATE TABLE IF NOT EXISTS liquidations
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    denom LowCardinality(String),
    initiator String CODEC(ZSTD(1)),
    began_height UInt64 CODEC(ZSTD(1)),
    began_ns Int64 CODEC(ZSTD(1)),
    pool Int256 CODEC(ZSTD(1)),
    closed_height UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
