/**
 * The tables that decode workers fill, column by column, in ClickHouse's Native format. sql/0001_base holds
 * the DDL; test/store/schema.store.test.ts holds the two against each other.
 */

export type ColumnType =
  | 'UInt8'
  | 'Int8'
  | 'UInt16'
  | 'UInt32'
  | 'UInt64'
  | 'Int32'
  | 'Int64'
  | 'UInt256'
  | 'Int256'
  | 'String'
  | 'FixedString(4)'
  | 'FixedString(20)'
  | 'FixedString(32)'
  | 'Array(String)';

export interface TableSpec {
  readonly name: string;
  /** In insert order. The type is what Native carries; the table may store LowCardinality of it. */
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
}

/**
 * A table that a module derives. Stored rows begin with the column `generation` (UInt32), which is not listed here: a
 * generation is one derivation of a module from the chain's first block on, and readers see one alone (as of a
 * checkpoint). `columns` hold `height`.
 */
export interface DerivedTable extends TableSpec {
  /** Whose generation its rows carry. */
  readonly module: string;
  /**
   * The columns that name a record, of which each row is a version: the newest at or below a height is the record as of
   * it. Empty where rows are facts of their own, such as a distribution.
   */
  readonly key: readonly string[];
}

/** As DerivedTable, of all modules together: its first column `module` says whose row it is. */
export type SharedTable = TableSpec;

/** One Native block of one table. */
export interface TableBlock {
  readonly table: string;
  readonly rows: number;
  readonly native: Uint8Array;
}

/** One row a block. `events` is the API's JSON text of the block-level events. */
export const BLOCKS = {
  name: 'blocks',
  columns: [
    ['height', 'UInt64'],
    ['hash', 'FixedString(32)'],
    ['parent_hash', 'FixedString(32)'],
    ['time_ns', 'Int64'],
    ['proposer', 'FixedString(20)'],
    ['app_version', 'UInt64'],
    ['tx_count', 'UInt32'],
    ['event_count', 'UInt32'],
    ['events', 'String'],
  ],
} as const satisfies TableSpec;

/**
 * One row a tx, failed included. msgs, fee, evm and events are the API's JSON texts. evm has an entry per message
 * up to the last Ethereum one, `null` for the others; it is empty where no message is Ethereum's. method is the type
 * URL of the first message, empty where there is none.
 */
export const TXS = {
  name: 'txs',
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'UInt32'],
    ['hash', 'FixedString(32)'],
    ['code', 'UInt32'],
    ['codespace', 'String'],
    ['raw_log', 'String'],
    ['gas_wanted', 'Int64'],
    ['gas_used', 'Int64'],
    ['block_time_ns', 'Int64'],
    ['method', 'String'],
    ['msg_count', 'UInt32'],
    ['event_count', 'UInt32'],
    ['msgs', 'String'],
    ['fee', 'String'],
    ['evm', 'Array(String)'],
    ['events', 'String'],
  ],
} as const satisfies TableSpec;

/** Hash look-ups: a consensus hash (msg_index −1) or the eth hash of the tx's message msg_index. */
export const TX_HASHES = {
  name: 'tx_hashes',
  columns: [
    ['hash', 'FixedString(32)'],
    ['height', 'UInt64'],
    ['tx_index', 'UInt32'],
    ['msg_index', 'Int32'],
    ['code', 'UInt32'],
  ],
} as const satisfies TableSpec;

/** One row per (account, height, tx_index) that took part by rule 3 of api.md's endpoints. */
export const ACCOUNT_TXS = {
  name: 'account_txs',
  columns: [
    ['account', 'String'],
    ['height', 'UInt64'],
    ['tx_index', 'UInt32'],
    ['method', 'String'],
  ],
} as const satisfies TableSpec;

/**
 * Accounts that a height's events name without having taken part in one of its txs (lookup's `known`): attribute
 * values of tx and block-level events, module accounts included, and contracts that logged.
 */
export const ACCOUNT_MENTIONS = {
  name: 'account_mentions',
  columns: [
    ['account', 'String'],
    ['height', 'UInt64'],
  ],
} as const satisfies TableSpec;

/** One row an event, without its text. tx_index −1 and msg_index −1 stand for "none". */
export const EVENTS = {
  name: 'events',
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'Int32'],
    ['event_index', 'UInt32'],
    ['type', 'String'],
    ['msg_index', 'Int32'],
  ],
} as const satisfies TableSpec;

/** Typed events with their proto-JSON: the facts that modules derive from. */
export const TYPED_EVENTS = {
  name: 'typed_events',
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'Int32'],
    ['event_index', 'UInt32'],
    ['type', 'String'],
    ['mode', 'String'],
    ['code', 'UInt32'],
    ['decoded', 'String'],
  ],
} as const satisfies TableSpec;

/** Bank `transfer` events. `amount` is the coin list as the node printed it, e.g. `12atest,5uusd`. */
export const TRANSFERS = {
  name: 'transfers',
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'Int32'],
    ['event_index', 'UInt32'],
    ['sender', 'String'],
    ['recipient', 'String'],
    ['amount', 'String'],
  ],
} as const satisfies TableSpec;

/** One row per Ethereum message. msg_index counts the tx's messages; contract is empty unless created. */
export const EVM_TXS = {
  name: 'evm_txs',
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'UInt32'],
    ['msg_index', 'UInt32'],
    ['eth_hash', 'FixedString(32)'],
    ['tx_type', 'UInt8'],
    ['nonce', 'UInt64'],
    ['sender', 'FixedString(20)'],
    ['recipient', 'String'],
    ['contract', 'String'],
    ['value', 'UInt256'],
    ['gas_limit', 'UInt64'],
    ['gas_used', 'UInt64'],
    ['status', 'UInt8'],
    ['revert_reason', 'String'],
    ['selector', 'String'],
  ],
} as const satisfies TableSpec;

/** One row a log, in the node's own numbering. Missing topics are 32 zero bytes; topic_count tells. */
export const EVM_LOGS = {
  name: 'evm_logs',
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'UInt32'],
    ['msg_index', 'UInt32'],
    ['log_index', 'UInt32'],
    ['address', 'FixedString(20)'],
    ['topic_count', 'UInt8'],
    ['topic0', 'FixedString(32)'],
    ['topic1', 'FixedString(32)'],
    ['topic2', 'FixedString(32)'],
    ['topic3', 'FixedString(32)'],
    ['data', 'String'],
  ],
} as const satisfies TableSpec;

/** SHA-256 over every row of every table above for one height, in a canonical encoding. */
export const HEIGHT_DIGESTS = {
  name: 'height_digests',
  columns: [
    ['height', 'UInt64'],
    ['digest', 'FixedString(32)'],
  ],
} as const satisfies TableSpec;

/**
 * One row a height whose results could not be used and that was kept all the same (--accept-bad-blocks). `reason` is a
 * BadBlockReason, `results_sha256` is of the `result` of block_results as the node sent it. No digest covers these rows:
 * which node was asked is no part of the chain.
 */
export const BAD_BLOCKS = {
  name: 'bad_blocks',
  columns: [
    ['height', 'UInt64'],
    ['reason', 'String'],
    ['message', 'String'],
    ['node', 'String'],
    ['results_sha256', 'FixedString(32)'],
  ],
} as const satisfies TableSpec;

/** Every table of the chain's own rows that a decode worker fills, in insert order; digests last. */
export const DECODED_TABLES: readonly TableSpec[] = [
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
