-- The days on which an account took part in a tx. is_new: it never did before.
CREATE TABLE IF NOT EXISTS account_days
(
    generation UInt32 CODEC(ZSTD(1)),
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    day UInt32 CODEC(Delta, ZSTD(1)),
    is_new UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height)
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
