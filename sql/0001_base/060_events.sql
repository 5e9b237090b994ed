-- One row an event, without its text. tx_index -1: block-level. msg_index -1: none.
CREATE TABLE events
(
    height UInt64 CODEC(Delta, ZSTD(1)),
    tx_index Int32 CODEC(ZSTD(1)),
    event_index UInt32 CODEC(Delta, ZSTD(1)),
    type LowCardinality(String),
    msg_index Int32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
