-- One row a commit, written last. rows holds the cumulative row count of every table and view target; generations, by
-- module, that of the rows that belong to it; table_generations, by table of a module, that of the rows it counts. results_hash and
-- results_app_hash are what the block above must name, upper-case hex; empty where it is not known.
CREATE TABLE IF NOT EXISTS checkpoints
(
    height UInt64,
    first_height UInt64,
    block_hash FixedString(32),
    block_time_ns Int64,
    chain_height UInt64,
    results_hash String,
    results_app_hash String,
    rows Map(String, UInt64),
    generations Map(String, UInt64),
    table_generations Map(String, UInt64),
    written_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0
