-- One row a block. events is the API's JSON text of the block-level events.
CREATE TABLE IF NOT EXISTS blocks
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    hash FixedString(32) CODEC(NONE),
    parent_hash FixedString(32) CODEC(NONE),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    proposer FixedString(20) CODEC(ZSTD(1)),
    app_version UInt64 CODEC(ZSTD(1)),
    tx_count UInt32 CODEC(ZSTD(1)),
    event_count UInt32 CODEC(ZSTD(1)),
    events String CODEC(ZSTD(1)),
    hash_hex String ALIAS hex(hash),
    time DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(time_ns, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
