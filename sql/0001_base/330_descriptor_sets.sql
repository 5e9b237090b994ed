-- FileDescriptorSets by app version, as the node answered them (protobuf bytes).
CREATE TABLE IF NOT EXISTS descriptor_sets
(
    app_version String,
    first_height UInt64,
    sha256 FixedString(32),
    bytes String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(first_height)
ORDER BY (app_version, sha256)
SETTINGS
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0
