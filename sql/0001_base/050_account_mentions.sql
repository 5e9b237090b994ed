-- Accounts that events of a height name (attributes, logging contracts) without having taken part in its txs.
CREATE TABLE IF NOT EXISTS account_mentions
(
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, height)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
