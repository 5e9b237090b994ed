-- A pair's reserves, in base units of each token, after each Sync. before_…: the last Sync of two reserves before it,
-- where that is of an earlier slot or this one has a reserve of 0; else 0. slot: tens of seconds since 1970.
CREATE TABLE IF NOT EXISTS dex_syncs
(
    generation UInt32 CODEC(ZSTD(1)),
    pair String CODEC(ZSTD(1)),
    slot UInt32 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    log_index UInt32 CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    reserve0 UInt256 CODEC(ZSTD(1)),
    reserve1 UInt256 CODEC(ZSTD(1)),
    before_time_ns Int64 CODEC(ZSTD(1)),
    before_reserve0 UInt256 CODEC(ZSTD(1)),
    before_reserve1 UInt256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, slot, height, tx_index, log_index)
SETTINGS
    index_granularity = 128,
    min_compress_block_size = 4096,
    max_compress_block_size = 16384,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
