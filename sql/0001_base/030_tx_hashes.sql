-- Hash look-ups: a consensus hash (msg_index -1) or the eth hash of the n-th message.
CREATE TABLE IF NOT EXISTS tx_hashes
(
    hash FixedString(32) CODEC(NONE),
    height UInt64 CODEC(ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    msg_index Int32 CODEC(ZSTD(1)),
    code UInt32 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (hash, height, tx_index, msg_index)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
