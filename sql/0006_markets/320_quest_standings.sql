-- How many quests an account has not completed, a row a block in which that changed: in the order of the leaderboard.
CREATE TABLE IF NOT EXISTS quest_standings
(
    generation UInt32 CODEC(ZSTD(1)),
    missing UInt8 CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    account String CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (missing, height, account)
SETTINGS
    index_granularity = 512,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
