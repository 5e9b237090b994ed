import {
  delta,
  fixed,
  flag,
  i32,
  i64big,
  packed,
  text,
  texts,
  u8,
  u32,
  u64,
  u64big,
  u256,
  word,
} from './columns.ts';
import { sharedTable, type Table, table } from './table.ts';

/**
 * The tables that are no module's: those that decode workers fill, and those in which every module has rows. What only the
 * store itself keeps (checkpoints, facts, views over txs) is SQL in sql/.
 */

/** Merges would hash every value of every column for statistics that no query of ours reads. */
const BULK = { auto_statistics_types: "''" };
/** Merged column by column, whatever the size: half the memory, and less CPU. */
const WIDE = {
  ...BULK,
  vertical_merge_algorithm_min_rows_to_activate: 1,
  vertical_merge_algorithm_min_columns_to_activate: 9,
};

/** One row a block. `events` is the API's JSON text of the block-level events. */
export const BLOCKS = table({
  name: 'blocks',
  settings: WIDE,
  granularity: 512,
  also: [
    'hash_hex String ALIAS hex(hash)',
    "time DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(time_ns, 'UTC')",
  ],
  columns: {
    height: delta(u64),
    hash: fixed(32),
    parent_hash: fixed(32),
    time_ns: delta(i64big),
    proposer: packed(fixed(20)),
    app_version: u64,
    tx_count: u32,
    event_count: u32,
    events: text,
  },
});

/**
 * One row a tx, failed included. msgs, fee, evm and events are the API's JSON texts. evm has an entry per message
 * up to the last Ethereum one, `null` for the others; it is empty where no message is Ethereum's. method is the type
 * URL of the first message, empty where there is none.
 */
export const TXS = table({
  name: 'txs',
  settings: { index_granularity_bytes: 262144, ...WIDE },
  order: ['height', 'tx_index'],
  granularity: 512,
  also: [
    'hash_hex String ALIAS hex(hash)',
    "block_time DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(block_time_ns, 'UTC')",
  ],
  columns: {
    height: delta(u64),
    tx_index: u32,
    hash: fixed(32),
    code: u32,
    codespace: word,
    raw_log: text,
    gas_wanted: i64big,
    gas_used: i64big,
    block_time_ns: delta(i64big),
    method: word,
    msg_count: u32,
    event_count: u32,
    msgs: text,
    fee: text,
    evm: texts,
    events: text,
  },
});

/** Hash look-ups: a consensus hash (msg_index −1) or the eth hash of the tx's message msg_index. */
export const TX_HASHES = table({
  name: 'tx_hashes',
  settings: BULK,
  order: ['hash', 'height', 'tx_index', 'msg_index'],
  granularity: 1024,
  also: ['INDEX height_range height TYPE minmax GRANULARITY 64'],
  columns: {
    hash: fixed(32),
    height: u64,
    tx_index: u32,
    msg_index: i32,
    code: u32,
  },
});

/** One row per (account, height, tx_index) that took part by rule 3 of api.md's endpoints. */
export const ACCOUNT_TXS = table({
  name: 'account_txs',
  settings: BULK,
  order: ['account', 'height', 'tx_index'],
  granularity: 1024,
  also: ['INDEX height_range height TYPE minmax GRANULARITY 64'],
  columns: {
    account: text,
    height: delta(u64),
    tx_index: u32,
    method: word,
  },
});

/**
 * Accounts that a height's events name without having taken part in one of its txs (lookup's `known`): attribute
 * values of tx and block-level events, module accounts included, and contracts that logged.
 */
export const ACCOUNT_MENTIONS = table({
  name: 'account_mentions',
  settings: BULK,
  order: ['account', 'height'],
  also: ['INDEX height_range height TYPE minmax GRANULARITY 64'],
  columns: {
    account: text,
    height: delta(u64),
  },
});

/** One row an event, without its text. tx_index −1 and msg_index −1 stand for "none". */
export const EVENTS = table({
  name: 'events',
  settings: BULK,
  order: ['height', 'tx_index', 'event_index'],
  columns: {
    height: delta(u64),
    tx_index: i32,
    event_index: delta(u32),
    type: word,
    msg_index: i32,
  },
});

/** Typed events with their proto-JSON: the facts that modules derive from. */
export const TYPED_EVENTS = table({
  name: 'typed_events',
  granularity: 512,
  settings: { index_granularity_bytes: 262144 },
  order: ['height', 'tx_index', 'event_index'],
  columns: {
    height: delta(u64),
    tx_index: i32,
    event_index: u32,
    type: word,
    mode: word,
    code: u32,
    decoded: text,
  },
});

/** Bank `transfer` events. `amount` is the coin list as the node printed it, e.g. `12atest,5uusd`. */
export const TRANSFERS = table({
  name: 'transfers',
  settings: BULK,
  order: ['height', 'tx_index', 'event_index'],
  columns: {
    height: delta(u64),
    tx_index: i32,
    event_index: u32,
    sender: text,
    recipient: text,
    amount: text,
  },
});

/** One row per Ethereum message. msg_index counts the tx's messages; contract is empty unless created. */
export const EVM_TXS = table({
  name: 'evm_txs',
  settings: BULK,
  order: ['height', 'tx_index', 'msg_index'],
  columns: {
    height: delta(u64),
    tx_index: u32,
    msg_index: u32,
    eth_hash: fixed(32),
    tx_type: u8,
    nonce: u64big,
    sender: packed(fixed(20)),
    recipient: text,
    contract: text,
    value: u256,
    gas_limit: u64,
    gas_used: u64,
    status: u8,
    revert_reason: text,
    selector: text,
  },
});

/** One row a log, in the node's own numbering. Missing topics are 32 zero bytes; topic_count tells. */
export const EVM_LOGS = table({
  name: 'evm_logs',
  settings: BULK,
  order: ['address', 'topic0', 'height', 'tx_index', 'log_index'],
  also: ['INDEX height_range height TYPE minmax GRANULARITY 64'],
  columns: {
    height: u64,
    tx_index: u32,
    msg_index: u32,
    log_index: u32,
    address: packed(fixed(20)),
    topic_count: u8,
    topic0: packed(fixed(32)),
    topic1: packed(fixed(32)),
    topic2: packed(fixed(32)),
    topic3: packed(fixed(32)),
    data: text,
  },
});

/** SHA-256 over every row of every table above for one height, in a canonical encoding. */
export const HEIGHT_DIGESTS = table({
  name: 'height_digests',
  settings: BULK,
  columns: {
    height: delta(u64),
    digest: fixed(32),
  },
});

/**
 * One row a height whose results could not be used and that was kept all the same (--accept-bad-blocks). `reason` is a
 * BadBlockReason, `results_sha256` is of the `result` of block_results as the node sent it. No digest covers these rows:
 * which node was asked is no part of the chain.
 */
export const BAD_BLOCKS = table({
  name: 'bad_blocks',
  also: ["written_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')"],
  columns: {
    height: u64,
    reason: word,
    message: text,
    node: word,
    results_sha256: fixed(32),
  },
});

/**
 * One row a value of an event that is not the derived one (modules.md rule 13). `field` is `record` where the event is
 * about a record that nobody told of. Both values are decimal digits or texts as they stand in the event.
 */
export const DRIFT = sharedTable({
  name: 'drift',
  order: ['height', 'tx_index', 'event_index', 'field'],
  columns: {
    module: word,
    height: u64,
    tx_index: i32,
    event_index: u32,
    type: word,
    field: word,
    derived: text,
    told: text,
  },
});

/** One SHA-256 a module over its rows of a height, drift included, as height_digests has them; none where it has none. */
export const MODULE_DIGESTS = sharedTable({
  name: 'module_digests',
  order: ['height', 'module'],
  columns: {
    module: word,
    height: delta(u64),
    digest: fixed(32),
  },
});

/** One row a run. `sequence` only grows, over rewinds too, so that who has seen one knows whether there was another. */
export const RECONCILIATIONS = table({
  name: 'reconciliations',
  order: ['sequence'],
  columns: {
    sequence: u64,
    height: u64,
    at_ns: i64big,
    evaluated: u64,
    not_evaluated: u64,
    agreed: u64,
    disagreed: u64,
  },
});

/**
 * What was compared, as of a height. `check` is one of CHECKS, or of those of export-checks.ts; `kind_id` −1 where it is of
 * no kind; `subject` is the route's id, the issuer, the module or where it differs. `chain` and `indexer` are JSON texts,
 * whose shapes these files name; rows that were not evaluated agree. A key that is written again replaces the row: read the one of the greatest sequence, or FINAL.
 */
export const RECONCILIATION_CHECKS = table({
  name: 'reconciliation_checks',
  order: ['check', 'asset_id', 'kind_id', 'subject', 'height'],
  granularity: 1024,
  engine: 'ReplacingMergeTree(sequence)',
  columns: {
    check: word,
    asset_id: text,
    kind_id: i64big,
    subject: text,
    height: u64,
    sequence: u64,
    evaluated: flag,
    agree: flag,
    chain: text,
    indexer: text,
  },
});

/** Every table of the chain's own rows that a decode worker fills, in insert order; digests last. */
export const DECODED_TABLES: readonly Table[] = [
  BLOCKS,
  TXS,
  TX_HASHES,
  ACCOUNT_TXS,
  ACCOUNT_MENTIONS,
  EVENTS,
  TYPED_EVENTS,
  TRANSFERS,
  EVM_TXS,
  EVM_LOGS,
  HEIGHT_DIGESTS,
];

/** Tables in which every module has rows, under its own generation. */
export const SHARED_TABLES: readonly Table[] = [DRIFT, MODULE_DIGESTS];

/** Comparisons with the chain as of a height: nothing derives them, and no checkpoint counts them. */
export const RECONCILIATION_TABLES: readonly Table[] = [RECONCILIATIONS, RECONCILIATION_CHECKS];

/** All of them. */
export const BASE_TABLES: readonly Table[] = [
  ...DECODED_TABLES,
  BAD_BLOCKS,
  ...SHARED_TABLES,
  ...RECONCILIATION_TABLES,
];
