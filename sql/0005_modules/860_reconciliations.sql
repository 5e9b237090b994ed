-- One row a run that compared the index with the chain's own answers as of a height; the sequence only grows.
CREATE TABLE IF NOT EXISTS reconciliations
(
    sequence UInt64 CODEC(ZSTD(1)),
    height UInt64 CODEC(ZSTD(1)),
    at_ns Int64 CODEC(ZSTD(1)),
    evaluated UInt64 CODEC(ZSTD(1)),
    not_evaluated UInt64 CODEC(ZSTD(1)),
    agreed UInt64 CODEC(ZSTD(1)),
    disagreed UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY sequence
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
