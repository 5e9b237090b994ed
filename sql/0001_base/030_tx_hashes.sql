-- Hash look-ups: a consensus hash (msg_index -1) or the eth hash of the n-th message.
CREATE TABLE tx_hashes
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
SETTINGS index_granularity = 1024
