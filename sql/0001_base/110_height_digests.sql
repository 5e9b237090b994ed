-- SHA-256 over every decoded row of a height, in a canonical encoding.
CREATE TABLE height_digests
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    digest FixedString(32) CODEC(NONE)
)
ENGINE = MergeTree
ORDER BY height
