-- The first time that an account completed a quest; done has the bits, by place, of those that it has as of the block.
CREATE TABLE IF NOT EXISTS quest_completions
(
    generation UInt32 CODEC(ZSTD(1)),
    account String CODEC(ZSTD(1)),
    height UInt64 CODEC(Delta, ZSTD(1)),
    quest LowCardinality(String) CODEC(ZSTD(1)),
    time_ns Int64 CODEC(Delta, ZSTD(1)),
    done UInt32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height, quest)
SETTINGS
    index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
