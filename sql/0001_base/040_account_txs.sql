-- One row per (account, height, tx_index) that took part in the tx, however often the account appears.
CREATE TABLE account_txs
(
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    method LowCardinality(String),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, height, tx_index)
SETTINGS index_granularity = 1024
