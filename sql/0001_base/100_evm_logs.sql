-- One row a log, in the node's own numbering. Missing topics are zeros; topic_count tells.
CREATE TABLE IF NOT EXISTS evm_logs
(
    height UInt64 CODEC(ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    msg_index UInt32 CODEC(ZSTD(1)),
    log_index UInt32 CODEC(ZSTD(1)),
    address FixedString(20) CODEC(ZSTD(1)),
    topic_count UInt8 CODEC(ZSTD(1)),
    topic0 FixedString(32) CODEC(ZSTD(1)),
    topic1 FixedString(32) CODEC(ZSTD(1)),
    topic2 FixedString(32) CODEC(ZSTD(1)),
    topic3 FixedString(32) CODEC(ZSTD(1)),
    data String CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (address, topic0, height, tx_index, log_index)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
