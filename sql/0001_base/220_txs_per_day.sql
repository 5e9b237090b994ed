-- Tx counts per UTC day of block time, rows as in txs_per_method.
CREATE TABLE txs_per_day
(
    height UInt64,
    day Date32,
    txs UInt64
)
ENGINE = MergeTree
ORDER BY (height, day)
