-- FileDescriptorSets by app version, as the node answered them (protobuf bytes). `sequence` is the order in which they
-- came: chains upgrade without another app version, and the newest set counts.
CREATE TABLE IF NOT EXISTS descriptor_sets
(
    sequence UInt64,
    app_version String,
    first_height UInt64,
    sha256 FixedString(32),
    bytes String CODEC(ZSTD(3))
)
ENGINE = MergeTree
ORDER BY sequence
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 10,
    max_cleanup_delay_period = 20,
    non_replicated_deduplication_window = 0
