-- Accounts that block-level events name, module accounts included.
CREATE TABLE account_blocks
(
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, height)
