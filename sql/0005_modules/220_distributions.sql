-- What was distributed, with index, carry and supply as derived.
CREATE TABLE IF NOT EXISTS distributions
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    ordinal UInt32 CODEC(ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    denom LowCardinality(String),
    payer String CODEC(ZSTD(1)),
    amount Int256 CODEC(ZSTD(1)),
    new_index String CODEC(ZSTD(1)),
    carry_scaled String CODEC(ZSTD(1)),
    supply Int256 CODEC(ZSTD(1)),
    tx_hash FixedString(32) CODEC(NONE),
    block_time_ns Int64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height, ordinal)
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
