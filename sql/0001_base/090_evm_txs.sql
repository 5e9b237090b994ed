-- One row per Ethereum message. recipient is empty for a creation, contract is empty unless one was created.
CREATE TABLE IF NOT EXISTS evm_txs
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    msg_index UInt32 CODEC(ZSTD(1)),
    eth_hash FixedString(32) CODEC(NONE),
    tx_type UInt8 CODEC(ZSTD(1)),
    nonce UInt64 CODEC(ZSTD(1)),
    sender FixedString(20) CODEC(ZSTD(1)),
    recipient String CODEC(ZSTD(1)),
    contract String CODEC(ZSTD(1)),
    value UInt256 CODEC(ZSTD(1)),
    gas_limit UInt64 CODEC(ZSTD(1)),
    gas_used UInt64 CODEC(ZSTD(1)),
    status UInt8 CODEC(ZSTD(1)),
    revert_reason String CODEC(ZSTD(1)),
    selector String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, msg_index)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
