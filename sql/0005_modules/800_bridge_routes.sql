-- Versions of the routes to other chains. What is used is of the window of that number (unix seconds by window_seconds),
-- 0 in any other. kind_id is 0 where none is set.
CREATE TABLE IF NOT EXISTS bridge_routes
(
    generation UInt32 CODEC(ZSTD(1)),
    route_id String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    remote_domain UInt32 CODEC(ZSTD(1)),
    remote_contract String CODEC(ZSTD(1)),
    direction LowCardinality(String),
    local_denom LowCardinality(String),
    status LowCardinality(String),
    window_seconds UInt64 CODEC(ZSTD(1)),
    outbound_limit Int256 CODEC(ZSTD(1)),
    inbound_limit Int256 CODEC(ZSTD(1)),
    warp_token_id String CODEC(ZSTD(1)),
    display String CODEC(ZSTD(1)),
    exponent UInt32 CODEC(ZSTD(1)),
    asset_id String CODEC(ZSTD(1)),
    kind_id UInt32 CODEC(ZSTD(1)),
    bundle UInt8 CODEC(ZSTD(1)),
    escrow_address String CODEC(ZSTD(1)),
    outbound Int256 CODEC(ZSTD(1)),
    inbound Int256 CODEC(ZSTD(1)),
    outbound_used Int256 CODEC(ZSTD(1)),
    inbound_used Int256 CODEC(ZSTD(1)),
    outbound_window Int64 CODEC(ZSTD(1)),
    inbound_window Int64 CODEC(ZSTD(1)),
    transfers UInt64 CODEC(ZSTD(1)),
    created_height UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (route_id, height)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
