-- What the chain told of itself and what this store was made with; the newest version of a key counts.
CREATE TABLE facts
(
    key String,
    value String CODEC(ZSTD(1)),
    version UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY key
