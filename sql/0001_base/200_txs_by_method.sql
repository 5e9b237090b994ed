-- Keys of txs by the type URL of their first message: the page of a method filter.
CREATE TABLE txs_by_method
(
    method LowCardinality(String),
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index UInt32 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (method, height, tx_index)
SETTINGS index_granularity = 1024
