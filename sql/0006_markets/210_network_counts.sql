-- What happened on the chain, up to and with each block in which any of it changes. day counts UTC days since 1970.
CREATE TABLE IF NOT EXISTS network_counts
(
    generation UInt32 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    day UInt32 CODEC(Delta, ZSTD(1)),
    transactions UInt64 CODEC(Delta, ZSTD(1)),
    evm_transactions UInt64 CODEC(Delta, ZSTD(1)),
    accounts UInt64 CODEC(Delta, ZSTD(1)),
    active_addresses UInt64 CODEC(Delta, ZSTD(1)),
    assets UInt64 CODEC(Delta, ZSTD(1)),
    community_assets UInt64 CODEC(Delta, ZSTD(1)),
    settlements_settled UInt64 CODEC(Delta, ZSTD(1)),
    distributions UInt64 CODEC(Delta, ZSTD(1)),
    distributed_stable Int256 CODEC(ZSTD(1)),
    swaps UInt64 CODEC(Delta, ZSTD(1)),
    liquidity_adds UInt64 CODEC(Delta, ZSTD(1)),
    loans_repaid UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY height
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
