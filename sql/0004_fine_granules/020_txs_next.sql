-- One row a tx, failed included. msgs, fee, evm and events are the API's JSON texts, made once by the decoder.
CREATE TABLE txs_next
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    hash FixedString(32) CODEC(NONE),
    code UInt32 CODEC(ZSTD(1)),
    codespace LowCardinality(String),
    raw_log String CODEC(ZSTD(1)),
    gas_wanted Int64 CODEC(ZSTD(1)),
    gas_used Int64 CODEC(ZSTD(1)),
    block_time_ns Int64 CODEC(Delta, ZSTD(1)),
    method LowCardinality(String),
    msg_count UInt32 CODEC(ZSTD(1)),
    event_count UInt32 CODEC(ZSTD(1)),
    msgs String CODEC(ZSTD(1)),
    fee String CODEC(ZSTD(1)),
    evm Array(String) CODEC(ZSTD(1)),
    events String CODEC(ZSTD(1)),
    hash_hex String ALIAS hex(hash),
    block_time DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(block_time_ns, 'UTC')
)
ENGINE = MergeTree
ORDER BY (height, tx_index)
SETTINGS
    index_granularity = 512,
    index_granularity_bytes = 262144,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0,
    auto_statistics_types = '',
    vertical_merge_algorithm_min_rows_to_activate = 1,
    vertical_merge_algorithm_min_columns_to_activate = 9
