-- Accounts that events of a height name (attributes, logging contracts) without having taken part in its txs.
CREATE TABLE account_mentions
(
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, height)
