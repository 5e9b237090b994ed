-- One row a commit, written last. rows holds the cumulative row count of every table and view target.
CREATE TABLE checkpoints
(
    height UInt64,
    first_height UInt64,
    block_hash FixedString(32),
    block_time_ns Int64,
    chain_height UInt64,
    rows Map(String, UInt64),
    written_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
