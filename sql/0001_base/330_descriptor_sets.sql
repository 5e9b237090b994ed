-- FileDescriptorSets by app version, as the node answered them (protobuf bytes).
CREATE TABLE descriptor_sets
(
    app_version String,
    first_height UInt64,
    sha256 FixedString(32),
    bytes String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(first_height)
ORDER BY (app_version, sha256)
