CREATE TABLE account_days
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `day` UInt32 CODEC(Delta(4), ZSTD(1)),
    `is_new` UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE account_events
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `ordinal` UInt32 CODEC(ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height, ordinal)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE account_mentions
(
    `account` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, height)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE TABLE account_tx_counts
(
    `account` String CODEC(ZSTD(1)),
    `span` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `method` LowCardinality(String),
    `txs` UInt64 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, span, height, method)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '';

CREATE TABLE account_txs
(
    `account` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `method` LowCardinality(String),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (account, height, tx_index)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '';

CREATE TABLE accruals
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `denom` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `income_index` String CODEC(ZSTD(1)),
    `carry_scaled` String CODEC(ZSTD(1)),
    `total_distributed` Int256 CODEC(ZSTD(1)),
    `total_paid` Int256 CODEC(ZSTD(1)),
    `distributions` UInt64 CODEC(ZSTD(1)),
    `updated_height` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, denom, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE asset_events
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `ordinal` UInt32 CODEC(ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height, ordinal)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE asset_kinds
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `class` LowCardinality(String),
    `decimals` UInt32 CODEC(ZSTD(1)),
    `bundle` UInt8 CODEC(ZSTD(1)),
    `transferable` UInt8 CODEC(ZSTD(1)),
    `term` String CODEC(ZSTD(1)),
    `multiplier` UInt64 CODEC(ZSTD(1)),
    `bridgeable` UInt8 CODEC(ZSTD(1)),
    `override_mode` LowCardinality(String),
    `override_types` Array(String) CODEC(ZSTD(1)),
    `override_attesters` Array(String) CODEC(ZSTD(1)),
    `address` FixedString(20) CODEC(NONE)
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE asset_tokens
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `address` FixedString(20) CODEC(NONE),
    `height` UInt64 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `bundle` UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (address, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE assets
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `issuer` String CODEC(ZSTD(1)),
    `nonce` UInt64 CODEC(ZSTD(1)),
    `status` LowCardinality(String),
    `policy_mode` LowCardinality(String),
    `policy_types` Array(String) CODEC(ZSTD(1)),
    `policy_attesters` Array(String) CODEC(ZSTD(1)),
    `operator` String CODEC(ZSTD(1)),
    `releaser` String CODEC(ZSTD(1)),
    `meta_hash` String CODEC(ZSTD(1)),
    `settlement_denom` LowCardinality(String),
    `liens_allowed` UInt8 CODEC(ZSTD(1)),
    `distribution_denoms` Array(String) CODEC(ZSTD(1)),
    `issuance_locked` UInt8 CODEC(ZSTD(1)),
    `kind_count` UInt32 CODEC(ZSTD(1)),
    `created_height` UInt64 CODEC(ZSTD(1)),
    `created_time_ns` Int64 CODEC(ZSTD(1)),
    `created_tx_hash` FixedString(32) CODEC(NONE),
    `bundle_address` FixedString(20) CODEC(NONE)
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE attestations
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `subject` String CODEC(ZSTD(1)),
    `type` LowCardinality(String),
    `attester` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `expiry_ns` Int256 CODEC(ZSTD(1)),
    `revoked` UInt8 CODEC(ZSTD(1)),
    `evidence_hash` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (subject, type, attester, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE attestations_by_attester
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `subject` String CODEC(ZSTD(1)),
    `type` LowCardinality(String),
    `attester` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `expiry_ns` Int256 CODEC(ZSTD(1)),
    `revoked` UInt8 CODEC(ZSTD(1)),
    `evidence_hash` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (attester, type, subject, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE bad_blocks
(
    `height` UInt64 CODEC(ZSTD(1)),
    `reason` LowCardinality(String),
    `message` String CODEC(ZSTD(1)),
    `node` LowCardinality(String),
    `results_sha256` FixedString(32) CODEC(NONE),
    `written_at` DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE blocks
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `hash` FixedString(32) CODEC(NONE),
    `parent_hash` FixedString(32) CODEC(NONE),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `proposer` FixedString(20) CODEC(ZSTD(1)),
    `app_version` UInt64 CODEC(ZSTD(1)),
    `tx_count` UInt32 CODEC(ZSTD(1)),
    `event_count` UInt32 CODEC(ZSTD(1)),
    `events` String CODEC(ZSTD(1)),
    `hash_hex` String ALIAS hex(hash),
    `time` DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(time_ns, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_columns_to_activate = 9;

CREATE TABLE bridge_income
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `route_id` String CODEC(ZSTD(1)),
    `denom` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `swept` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (route_id, denom, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE bridge_routes
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `route_id` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `remote_domain` UInt32 CODEC(ZSTD(1)),
    `remote_contract` String CODEC(ZSTD(1)),
    `direction` LowCardinality(String),
    `local_denom` LowCardinality(String),
    `status` LowCardinality(String),
    `window_seconds` UInt64 CODEC(ZSTD(1)),
    `outbound_limit` Int256 CODEC(ZSTD(1)),
    `inbound_limit` Int256 CODEC(ZSTD(1)),
    `warp_token_id` String CODEC(ZSTD(1)),
    `display` String CODEC(ZSTD(1)),
    `exponent` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `bundle` UInt8 CODEC(ZSTD(1)),
    `escrow_address` String CODEC(ZSTD(1)),
    `outbound` Int256 CODEC(ZSTD(1)),
    `inbound` Int256 CODEC(ZSTD(1)),
    `outbound_used` Int256 CODEC(ZSTD(1)),
    `inbound_used` Int256 CODEC(ZSTD(1)),
    `outbound_window` Int64 CODEC(ZSTD(1)),
    `inbound_window` Int64 CODEC(ZSTD(1)),
    `transfers` UInt64 CODEC(ZSTD(1)),
    `created_height` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (route_id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE bridge_transfers
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` Int32 CODEC(ZSTD(1)),
    `tx_hash` FixedString(32) CODEC(NONE),
    `route_id` String CODEC(ZSTD(1)),
    `direction` LowCardinality(String),
    `status` LowCardinality(String),
    `sender` String CODEC(ZSTD(1)),
    `recipient` String CODEC(ZSTD(1)),
    `amount` Int256 CODEC(ZSTD(1)),
    `message_id` String CODEC(ZSTD(1)),
    `reason` LowCardinality(String),
    `block_time_ns` Int64 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `bundle` UInt8 CODEC(ZSTD(1)),
    INDEX routes route_id TYPE bloom_filter GRANULARITY 1,
    INDEX message_ids message_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (height, tx_index, event_index)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE bridge_transfers_by_account
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` Int32 CODEC(ZSTD(1)),
    `route_id` String CODEC(ZSTD(1)),
    `status` LowCardinality(String),
    `message_id` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height, tx_index, event_index)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE checkpoints
(
    `height` UInt64,
    `first_height` UInt64,
    `block_hash` FixedString(32),
    `block_time_ns` Int64,
    `chain_height` UInt64,
    `results_hash` String,
    `results_app_hash` String,
    `rows` Map(String, UInt64),
    `generations` Map(String, UInt64),
    `table_generations` Map(String, UInt64),
    `written_at` DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY height
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE cursor_keys
(
    `created_ns` Int64,
    `key` FixedString(32)
)
ENGINE = MergeTree
ORDER BY (created_ns, key)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE delegations
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `id` UInt64 CODEC(Delta(8), ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1)),
    `delegate` String CODEC(ZSTD(1)),
    `until` String CODEC(ZSTD(1)),
    `purposes` Array(LowCardinality(String)),
    `revocable` UInt8 CODEC(ZSTD(1)),
    `ended` LowCardinality(String),
    `created_height` UInt64 CODEC(ZSTD(1)),
    `created_tx_hash` FixedString(32) CODEC(ZSTD(1)),
    `ended_height` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE delegations_by_account
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `id` UInt64 CODEC(Delta(8), ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `gone` UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, id, height, gone)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE descriptor_sets
(
    `sequence` UInt64,
    `app_version` String,
    `first_height` UInt64,
    `sha256` FixedString(32),
    `bytes` String CODEC(ZSTD(3))
)
ENGINE = MergeTree
ORDER BY sequence
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE dex_closes
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `pair` String CODEC(ZSTD(1)),
    `span` UInt32 CODEC(ZSTD(1)),
    `bucket` UInt32 CODEC(Delta(4), ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `close_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `close0` UInt256 CODEC(ZSTD(1)),
    `close1` UInt256 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 16
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, span, bucket)
SETTINGS index_granularity = 128, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, min_compress_block_size = 4096, max_compress_block_size = 16384;

CREATE MATERIALIZED VIEW dex_closes_view TO dex_closes
(
    `generation` UInt32,
    `pair` String,
    `span` UInt32,
    `bucket` UInt32,
    `height` UInt64,
    `close_ns` Int64,
    `close0` UInt256,
    `close1` UInt256
)
AS SELECT
    generation,
    pair,
    span,
    toUInt32(intDiv(before_time_ns, span * 1000000000)) AS bucket,
    height,
    before_time_ns AS close_ns,
    before_reserve0 AS close0,
    before_reserve1 AS close1
FROM dex_syncs
ARRAY JOIN [toUInt32(10), toUInt32(60), toUInt32(600), toUInt32(3600), toUInt32(21600), toUInt32(86400)] AS span
WHERE (before_reserve0 > 0) AND (reserve0 > 0) AND (reserve1 > 0) AND (intDiv(before_time_ns, span * 1000000000) != intDiv(time_ns, span * 1000000000));

CREATE TABLE dex_mints
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `pair` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `log_index` UInt32 CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `sender` String CODEC(ZSTD(1)),
    `amount0` UInt256 CODEC(ZSTD(1)),
    `amount1` UInt256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, height, tx_index, log_index)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE dex_pairs
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `pair` String CODEC(ZSTD(1)),
    `token0` String CODEC(ZSTD(1)),
    `token1` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `log_index` UInt32 CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (token0, token1, height, tx_index, log_index)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE dex_swaps
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `pair` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `log_index` UInt32 CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `sender` String CODEC(ZSTD(1)),
    `recipient` String CODEC(ZSTD(1)),
    `amount0_in` UInt256 CODEC(ZSTD(1)),
    `amount1_in` UInt256 CODEC(ZSTD(1)),
    `amount0_out` UInt256 CODEC(ZSTD(1)),
    `amount1_out` UInt256 CODEC(ZSTD(1)),
    `volume0` UInt256 CODEC(ZSTD(1)),
    `volume1` UInt256 CODEC(ZSTD(1)),
    `swaps` UInt64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, time_ns, height, tx_index, log_index)
SETTINGS index_granularity = 128, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, min_compress_block_size = 4096, max_compress_block_size = 16384;

CREATE TABLE dex_syncs
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `pair` String CODEC(ZSTD(1)),
    `slot` UInt32 CODEC(Delta(4), ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `log_index` UInt32 CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `reserve0` UInt256 CODEC(ZSTD(1)),
    `reserve1` UInt256 CODEC(ZSTD(1)),
    `before_time_ns` Int64 CODEC(ZSTD(1)),
    `before_reserve0` UInt256 CODEC(ZSTD(1)),
    `before_reserve1` UInt256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (pair, slot, height, tx_index, log_index)
SETTINGS index_granularity = 128, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, min_compress_block_size = 4096, max_compress_block_size = 16384;

CREATE TABLE distributions
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `ordinal` UInt32 CODEC(ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `denom` LowCardinality(String),
    `payer` String CODEC(ZSTD(1)),
    `amount` Int256 CODEC(ZSTD(1)),
    `new_index` String CODEC(ZSTD(1)),
    `carry_scaled` String CODEC(ZSTD(1)),
    `supply` Int256 CODEC(ZSTD(1)),
    `tx_hash` FixedString(32) CODEC(NONE),
    `block_time_ns` Int64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height, ordinal)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE drift
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `module` LowCardinality(String),
    `height` UInt64 CODEC(ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(ZSTD(1)),
    `type` LowCardinality(String),
    `field` LowCardinality(String),
    `derived` String CODEC(ZSTD(1)),
    `told` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (height, tx_index, event_index, field)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE encumbrance_timeline
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `id` UInt64 CODEC(Delta(8), ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `ordinal` UInt32 CODEC(ZSTD(1)),
    `event` LowCardinality(String),
    `block_time_ns` Int64 CODEC(ZSTD(1)),
    `tx_hash` FixedString(32) CODEC(ZSTD(1)),
    `actor` String CODEC(ZSTD(1)),
    `actor_role` LowCardinality(String),
    `units` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (id, height, ordinal)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE encumbrances
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `id` UInt64 CODEC(Delta(8), ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `kind` LowCardinality(String),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1)),
    `beneficiary` String CODEC(ZSTD(1)),
    `income_to_beneficiary` UInt8 CODEC(ZSTD(1)),
    `holder_release_after` String CODEC(ZSTD(1)),
    `exercisable` UInt8 CODEC(ZSTD(1)),
    `expiry` String CODEC(ZSTD(1)),
    `evidence_hash` String CODEC(ZSTD(1)),
    `status` LowCardinality(String),
    `created_height` UInt64 CODEC(ZSTD(1)),
    `created_time_ns` Int64 CODEC(ZSTD(1)),
    `created_tx_hash` FixedString(32) CODEC(ZSTD(1)),
    `resolved_height` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE VIEW event_attributes
(
    `height` UInt64,
    `tx_index` Int32,
    `event_index` UInt64,
    `type` String,
    `key` String,
    `value` String
)
AS SELECT
    height,
    tx_index,
    JSONExtractUInt(event, 'event_index') AS event_index,
    JSONExtractString(event, 'type') AS type,
    JSONExtractString(attribute, 'key') AS key,
    JSONExtractString(attribute, 'value') AS value
FROM
(
    SELECT
        height,
        toInt32(tx_index) AS tx_index,
        arrayJoin(JSONExtractArrayRaw(events)) AS event
    FROM txs
    UNION ALL
    SELECT
        height,
        toInt32(-1) AS tx_index,
        arrayJoin(JSONExtractArrayRaw(events)) AS event
    FROM blocks
)
ARRAY JOIN JSONExtractArrayRaw(event, 'attributes') AS attribute;

CREATE TABLE events
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(Delta(4), ZSTD(1)),
    `type` LowCardinality(String),
    `msg_index` Int32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE TABLE evm_logs
(
    `height` UInt64 CODEC(ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `msg_index` UInt32 CODEC(ZSTD(1)),
    `log_index` UInt32 CODEC(ZSTD(1)),
    `address` FixedString(20) CODEC(ZSTD(1)),
    `topic_count` UInt8 CODEC(ZSTD(1)),
    `topic0` FixedString(32) CODEC(ZSTD(1)),
    `topic1` FixedString(32) CODEC(ZSTD(1)),
    `topic2` FixedString(32) CODEC(ZSTD(1)),
    `topic3` FixedString(32) CODEC(ZSTD(1)),
    `data` String CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (address, topic0, height, tx_index, log_index)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE TABLE evm_txs
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `msg_index` UInt32 CODEC(ZSTD(1)),
    `eth_hash` FixedString(32) CODEC(NONE),
    `tx_type` UInt8 CODEC(ZSTD(1)),
    `nonce` UInt64 CODEC(ZSTD(1)),
    `sender` FixedString(20) CODEC(ZSTD(1)),
    `recipient` String CODEC(ZSTD(1)),
    `contract` String CODEC(ZSTD(1)),
    `value` UInt256 CODEC(ZSTD(1)),
    `gas_limit` UInt64 CODEC(ZSTD(1)),
    `gas_used` UInt64 CODEC(ZSTD(1)),
    `status` UInt8 CODEC(ZSTD(1)),
    `revert_reason` String CODEC(ZSTD(1)),
    `selector` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, msg_index)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE TABLE facts
(
    `key` String,
    `value` String CODEC(ZSTD(1)),
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY key
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE gov_proposals
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `proposal_id` UInt64 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `status` LowCardinality(String),
    `proposer` String CODEC(ZSTD(1)),
    `messages` String CODEC(ZSTD(1)),
    `deposit` String CODEC(ZSTD(1)),
    `submitted_height` UInt64 CODEC(ZSTD(1)),
    `submitted_time_ns` Int64 CODEC(ZSTD(1)),
    `submitted_tx_hash` FixedString(32) CODEC(ZSTD(1)),
    `voting_height` UInt64 CODEC(ZSTD(1)),
    `ended_height` UInt64 CODEC(ZSTD(1)),
    `log` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (proposal_id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE gov_tallies
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `proposal_id` UInt64 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `yes` Int256 CODEC(ZSTD(1)),
    `abstain` Int256 CODEC(ZSTD(1)),
    `no` Int256 CODEC(ZSTD(1)),
    `no_with_veto` Int256 CODEC(ZSTD(1)),
    `votes` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (proposal_id, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE gov_votes
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `proposal_id` UInt64 CODEC(ZSTD(1)),
    `voter` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `options` String CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `tx_hash` FixedString(32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (proposal_id, voter, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE gov_votes_by_voter
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `proposal_id` UInt64 CODEC(ZSTD(1)),
    `voter` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `options` String CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `tx_hash` FixedString(32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (voter, proposal_id, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE height_digests
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `digest` FixedString(32) CODEC(NONE)
)
ENGINE = MergeTree
ORDER BY height
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE TABLE holder_order
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `bucket` UInt64 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `neg` Int256 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `sign` Int8 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (bucket, asset_id, kind_id, neg, holder)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE holder_order_sums
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `span` UInt32 CODEC(ZSTD(1)),
    `bucket` UInt64 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `neg` Int256 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `sign` Int8 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (span, bucket, asset_id, kind_id, neg, holder)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE income_routes
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `beneficiary` String CODEC(ZSTD(1)),
    `ref` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, beneficiary, ref, height)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE income_routes_by_beneficiary
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `beneficiary` String CODEC(ZSTD(1)),
    `ref` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (beneficiary, asset_id, kind_id, ref, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE kind_totals
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `supply` Int256 CODEC(ZSTD(1)),
    `positions` Int256 CODEC(ZSTD(1)),
    `encumbered` Int256 CODEC(ZSTD(1)),
    `holder_count` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE liquidations
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `denom` LowCardinality(String),
    `initiator` String CODEC(ZSTD(1)),
    `began_height` UInt64 CODEC(ZSTD(1)),
    `began_ns` Int64 CODEC(ZSTD(1)),
    `pool` Int256 CODEC(ZSTD(1)),
    `closed_height` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE locks
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `ref` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, holder, ref, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE locks_by_holder
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `ref` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (holder, asset_id, kind_id, ref, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE module_digests
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `module` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `digest` FixedString(32) CODEC(NONE)
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (height, module)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE network_counts
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `day` UInt32 CODEC(Delta(4), ZSTD(1)),
    `transactions` UInt64 CODEC(Delta(8), ZSTD(1)),
    `evm_transactions` UInt64 CODEC(Delta(8), ZSTD(1)),
    `accounts` UInt64 CODEC(Delta(8), ZSTD(1)),
    `active_addresses` UInt64 CODEC(Delta(8), ZSTD(1)),
    `assets` UInt64 CODEC(Delta(8), ZSTD(1)),
    `community_assets` UInt64 CODEC(Delta(8), ZSTD(1)),
    `settlements_settled` UInt64 CODEC(Delta(8), ZSTD(1)),
    `distributions` UInt64 CODEC(Delta(8), ZSTD(1)),
    `distributed_stable` Int256 CODEC(ZSTD(1)),
    `swaps` UInt64 CODEC(Delta(8), ZSTD(1)),
    `liquidity_adds` UInt64 CODEC(Delta(8), ZSTD(1)),
    `loans_repaid` UInt64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY height
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE network_days
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `day` UInt32 CODEC(Delta(4), ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `transactions` UInt64 CODEC(Delta(8), ZSTD(1)),
    `active_addresses` UInt64 CODEC(Delta(8), ZSTD(1)),
    `swaps` UInt64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY day
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE positions
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1)),
    `encumbered` Int256 CODEC(ZSTD(1)),
    `routed` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, holder, height)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE positions_by_holder
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `holder` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1)),
    `encumbered` Int256 CODEC(ZSTD(1)),
    `routed` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (holder, asset_id, kind_id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE quest_completions
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `quest` LowCardinality(String),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `done` UInt32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, height, quest)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE quest_standings
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `missing` UInt8 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `time_ns` Int64 CODEC(Delta(8), ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (missing, height, account)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE reconciliation_checks
(
    `check` LowCardinality(String),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` Int64 CODEC(ZSTD(1)),
    `subject` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `sequence` UInt64 CODEC(ZSTD(1)),
    `evaluated` UInt8 CODEC(ZSTD(1)),
    `agree` UInt8 CODEC(ZSTD(1)),
    `chain` String CODEC(ZSTD(1)),
    `indexer` String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(sequence)
ORDER BY (check, asset_id, kind_id, subject, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE reconciliations
(
    `sequence` UInt64 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `at_ns` Int64 CODEC(ZSTD(1)),
    `evaluated` UInt64 CODEC(ZSTD(1)),
    `not_evaluated` UInt64 CODEC(ZSTD(1)),
    `agreed` UInt64 CODEC(ZSTD(1)),
    `disagreed` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY sequence
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE redemption_pools
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `denom` LowCardinality(String),
    `amount` Int256 CODEC(ZSTD(1)),
    `units` Int256 CODEC(ZSTD(1)),
    `remaining_amount` Int256 CODEC(ZSTD(1)),
    `remaining_units` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE settled_income
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `ref` String CODEC(ZSTD(1)),
    `denom` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `last_index` String CODEC(ZSTD(1)),
    `accrued` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, kind_id, account, ref, denom, height)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE settled_income_by_account
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `account` String CODEC(ZSTD(1)),
    `ref` String CODEC(ZSTD(1)),
    `denom` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `last_index` String CODEC(ZSTD(1)),
    `accrued` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (account, asset_id, kind_id, ref, denom, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE settlement_floors
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `party` String CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `oldest_pending` UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (party, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE settlement_lists
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `party` String CODEC(ZSTD(1)),
    `status` LowCardinality(String),
    `id` UInt64 CODEC(Delta(8), ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `gone` UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (party, status, id, height, gone)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE settlements
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `id` UInt64 CODEC(Delta(8), ZSTD(1)),
    `height` UInt64 CODEC(ZSTD(1)),
    `proposer` String CODEC(ZSTD(1)),
    `counterparty` String CODEC(ZSTD(1)),
    `legs` String CODEC(ZSTD(1)),
    `expiry` String CODEC(ZSTD(1)),
    `status` LowCardinality(String),
    `memo_hash` String CODEC(ZSTD(1)),
    `cancel_reason` LowCardinality(String),
    `created_height` UInt64 CODEC(ZSTD(1)),
    `created_time_ns` Int64 CODEC(ZSTD(1)),
    `created_tx_hash` FixedString(32) CODEC(ZSTD(1)),
    `ended_height` UInt64 CODEC(ZSTD(1)),
    `ended_time_ns` Int64 CODEC(ZSTD(1)),
    `ended_tx_hash` FixedString(32) CODEC(ZSTD(1)),
    `end_actor` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (id, height)
SETTINGS index_granularity = 256, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE source_heads
(
    `id` UInt8,
    `chain_height` UInt64
)
ENGINE = ReplacingMergeTree(chain_height)
ORDER BY id
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity = 8192;

CREATE TABLE tier_payments
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `tier` UInt32 CODEC(ZSTD(1)),
    `denom` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `cumulative_paid` Int256 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, tier, denom, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;

CREATE TABLE transfers
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(ZSTD(1)),
    `sender` String CODEC(ZSTD(1)),
    `recipient` String CODEC(ZSTD(1)),
    `amount` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE TABLE tx_hashes
(
    `hash` FixedString(32) CODEC(NONE),
    `height` UInt64 CODEC(ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `msg_index` Int32 CODEC(ZSTD(1)),
    `code` UInt32 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (hash, height, tx_index, msg_index)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '';

CREATE TABLE txs
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    `hash` FixedString(32) CODEC(NONE),
    `code` UInt32 CODEC(ZSTD(1)),
    `codespace` LowCardinality(String),
    `raw_log` String CODEC(ZSTD(1)),
    `gas_wanted` Int64 CODEC(ZSTD(1)),
    `gas_used` Int64 CODEC(ZSTD(1)),
    `block_time_ns` Int64 CODEC(Delta(8), ZSTD(1)),
    `method` LowCardinality(String),
    `msg_count` UInt32 CODEC(ZSTD(1)),
    `event_count` UInt32 CODEC(ZSTD(1)),
    `msgs` String CODEC(ZSTD(1)),
    `fee` String CODEC(ZSTD(1)),
    `evm` Array(String) CODEC(ZSTD(1)),
    `events` String CODEC(ZSTD(1)),
    `hash_hex` String ALIAS hex(hash),
    `block_time` DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(block_time_ns, 'UTC')
)
ENGINE = MergeTree
ORDER BY (height, tx_index)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity_bytes = 262144, auto_statistics_types = '', vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_columns_to_activate = 9;

CREATE TABLE txs_by_method
(
    `method` LowCardinality(String),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` UInt32 CODEC(ZSTD(1)),
    INDEX height_range height TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (method, height, tx_index)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '';

CREATE MATERIALIZED VIEW txs_by_method_view TO txs_by_method
(
    `method` LowCardinality(String),
    `height` UInt64,
    `tx_index` UInt32
)
AS SELECT
    method,
    height,
    tx_index
FROM txs;

CREATE TABLE txs_per_day
(
    `height` UInt64,
    `day` Date32,
    `txs` UInt64
)
ENGINE = MergeTree
ORDER BY (height, day)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE MATERIALIZED VIEW txs_per_day_view TO txs_per_day
(
    `height` UInt64,
    `day` Date32,
    `txs` UInt64
)
AS SELECT
    max(height) AS height,
    toDate32(fromUnixTimestamp64Nano(block_time_ns, 'UTC')) AS day,
    count() AS txs
FROM txs
GROUP BY day;

CREATE TABLE txs_per_method
(
    `height` UInt64,
    `method` LowCardinality(String),
    `txs` UInt64
)
ENGINE = MergeTree
ORDER BY (height, method)
SETTINGS min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, auto_statistics_types = '', index_granularity = 8192;

CREATE MATERIALIZED VIEW txs_per_method_view TO txs_per_method
(
    `height` UInt64,
    `method` LowCardinality(String),
    `txs` UInt64
)
AS SELECT
    max(height) AS height,
    method,
    count() AS txs
FROM txs
GROUP BY method;

CREATE TABLE typed_events
(
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `tx_index` Int32 CODEC(ZSTD(1)),
    `event_index` UInt32 CODEC(ZSTD(1)),
    `type` LowCardinality(String),
    `mode` LowCardinality(String),
    `code` UInt32 CODEC(ZSTD(1)),
    `decoded` String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (height, tx_index, event_index)
SETTINGS index_granularity = 512, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0, index_granularity_bytes = 262144;

CREATE TABLE waterfall_tiers
(
    `generation` UInt32 CODEC(ZSTD(1)),
    `asset_id` String CODEC(ZSTD(1)),
    `tier` UInt32 CODEC(ZSTD(1)),
    `height` UInt64 CODEC(Delta(8), ZSTD(1)),
    `kind_id` UInt32 CODEC(ZSTD(1)),
    `cap` Int256 CODEC(ZSTD(1)),
    `dropped` UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (asset_id, tier, height)
SETTINGS index_granularity = 1024, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, non_replicated_deduplication_window = 0;
