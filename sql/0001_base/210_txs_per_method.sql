-- Tx counts per first-message type, one row per insert and method; height is the greatest it covers, so that
-- the start-up repair and readers treat a commit's rows alike. Sum txs over the rows at or below the checkpoint.
CREATE TABLE txs_per_method
(
    height UInt64,
    method LowCardinality(String),
    txs UInt64
)
ENGINE = MergeTree
ORDER BY (height, method)
