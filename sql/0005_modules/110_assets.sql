-- Versions of assets: one for each block in which the asset, a kind of it or a policy changed. meta_hash is hex.
CREATE TABLE IF NOT EXISTS assets
(
    generation UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    issuer String CODEC(ZSTD(1)),
    nonce UInt64 CODEC(ZSTD(1)),
    status LowCardinality(String),
    policy_mode LowCardinality(String),
    policy_types Array(String) CODEC(ZSTD(1)),
    policy_attesters Array(String) CODEC(ZSTD(1)),
    operator String CODEC(ZSTD(1)),
    releaser String CODEC(ZSTD(1)),
    meta_hash String CODEC(ZSTD(1)),
    settlement_denom LowCardinality(String),
    liens_allowed UInt8 CODEC(ZSTD(1)),
    distribution_denoms Array(String) CODEC(ZSTD(1)),
    issuance_locked UInt8 CODEC(ZSTD(1)),
    kind_count UInt32 CODEC(ZSTD(1)),
    created_height UInt64 CODEC(ZSTD(1)),
    created_time_ns Int64 CODEC(ZSTD(1)),
    created_tx_hash FixedString(32) CODEC(NONE),
    bundle_address FixedString(20) CODEC(NONE)
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
