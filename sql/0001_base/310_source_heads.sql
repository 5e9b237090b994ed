-- The chain's height as the indexing process last saw it.
CREATE TABLE source_heads
(
    id UInt8,
    chain_height UInt64
)
ENGINE = ReplacingMergeTree(chain_height)
ORDER BY id
