-- A row an event of an encumbrance, partial releases included.
CREATE TABLE IF NOT EXISTS encumbrance_timeline
(
    generation UInt32 CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    ordinal UInt32 CODEC(ZSTD(1)),
    event LowCardinality(String),
    block_time_ns Int64 CODEC(ZSTD(1)),
    tx_hash FixedString(32) CODEC(ZSTD(1)),
    actor String CODEC(ZSTD(1)),
    actor_role LowCardinality(String),
    units Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (id, height, ordinal)
SETTINGS
    index_granularity = 256,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
