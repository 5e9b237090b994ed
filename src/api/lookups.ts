import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import type { RowReader } from '../core/rowbinary.ts';
import { hexLiteral, uintLiteral } from '../store/sql.ts';
import type { RowBinary } from '../store/store.ts';
import { type Batcher, createBatcher } from './batch.ts';
import type { BlockRow } from './block-json.ts';
import type { TxKey } from './cursor.ts';
import { BLOCK_COLUMNS, groupRows, readAll, readBlock, readTx, TX_COLUMNS } from './rows.ts';
import type { TxRow } from './tx-json.ts';

/**
 * Look-ups by primary key, which share queries (see batch.ts). What they find is of no snapshot: rows above the
 * checkpoint may be among it, and a caller looks at heights itself.
 */
export interface Lookups {
  /** Where a hash stands, in no order. `endMs`: see Batcher.load; so below. */
  places(hashHex: string, endMs: number): Promise<readonly HashPlace[] | typeof TOO_MANY>;
  tx(key: TxKey, endMs: number): Promise<TxRow | undefined>;
  /** The hash and the EVM views of a tx, for half of what the whole row costs. */
  txHead(key: TxKey, endMs: number): Promise<TxHead | undefined>;
  /** A block with its block-level events (the API's JSON text). */
  block(height: number, endMs: number): Promise<BlockWithEvents | undefined>;
  /** The txs of a block in their order. */
  txsOf(block: Pick<BlockRow, 'height' | 'txCount'>, endMs: number): Promise<readonly TxRow[]>;
}

/** A row of tx_hashes. */
export interface HashPlace {
  readonly height: number;
  readonly txIndex: number;
  /** −1 for the consensus hash. */
  readonly msgIndex: number;
  readonly code: number;
}

export type TxHead = Pick<TxRow, 'height' | 'txIndex' | 'hash' | 'evm'>;
export type BlockWithEvents = BlockRow & { readonly events: Uint8Array };

/** The hash stands in so many txs that the best is for the engine to find. */
export const TOO_MANY = 'too many';

export interface LookupOptions {
  readonly query: (sql: string, endMs: number) => Promise<RowBinary>;
  readonly nowMs: () => number;
  /** Look-ups of each kind that wait at most. */
  readonly maxWaiting: number;
}

const MAX_KEYS = 64;
/** Two cores' worth; below so many keys, one query of all costs clearly less than two. */
const MAX_IN_FLIGHT = 2;
const KEYS_BESIDE = 24;
/** Txs of the blocks in one query; a larger block goes alone. */
const MAX_BLOCK_TXS = 200;
/** More places of one query's hashes than this are of hashes that were repeated on purpose. */
const MAX_PLACES = 4 * MAX_KEYS;
const TX_HEAD_COLUMNS = 'height, tx_index, hash, evm';

export function createLookups({ query, nowMs, maxWaiting }: LookupOptions): Lookups {
  const shared = {
    nowMs,
    maxKeys: MAX_KEYS,
    maxWaiting,
    maxInFlight: MAX_IN_FLIGHT,
    keysBeside: KEYS_BESIDE,
  };

  const byTxKey = <T extends TxKey>(columns: string, read: (row: RowReader) => T) =>
    createBatcher<TxKey, T | undefined>({
      ...shared,
      identity: keyText,
      ask: async (keys, endMs) => {
        const sql = `SELECT ${columns} FROM txs PREWHERE ${txKeyCondition(keys)}`;
        const found = new Map(readAll(await query(sql, endMs), read).map((row) => [keyText(row), row]));
        return keys.map((key) => found.get(keyText(key)));
      },
    });

  const places: Batcher<string, readonly HashPlace[] | typeof TOO_MANY> = createBatcher({
    ...shared,
    identity: (hashHex) => hashHex,
    ask: (hashes, endMs) => askPlaces(hashes, (sql) => query(sql, endMs)),
  });
  const txs = byTxKey(TX_COLUMNS, readTx);
  const txHeads = byTxKey(TX_HEAD_COLUMNS, readTxHead);
  const blocks = createBatcher<number, BlockWithEvents | undefined>({
    ...shared,
    identity: String,
    ask: async (heights, endMs) => {
      const sql = `SELECT ${BLOCK_COLUMNS}, events FROM blocks PREWHERE ${heightCondition(heights)}`;
      const found = new Map(readAll(await query(sql, endMs), readBlockWithEvents).map((b) => [b.height, b]));
      return heights.map((height) => found.get(height));
    },
  });
  const blockTxs = createBatcher<Pick<BlockRow, 'height' | 'txCount'>, readonly TxRow[]>({
    ...shared,
    maxWeight: MAX_BLOCK_TXS,
    weightOf: ({ txCount }) => txCount,
    identity: ({ height }) => String(height),
    ask: async (keys, endMs) => {
      const heights = keys.map(({ height }) => height);
      const sql = `SELECT ${TX_COLUMNS} FROM txs PREWHERE ${heightCondition(heights)}`;
      const found = groupRows(readAll(await query(sql, endMs), readTx), (row) => row.height);
      return heights.map((height) => (found.get(height) ?? []).sort((a, b) => a.txIndex - b.txIndex));
    },
  });

  return {
    places: places.load,
    tx: txs.load,
    txHead: txHeads.load,
    block: blocks.load,
    txsOf: (block, endMs) => (block.txCount === 0 ? Promise.resolve([]) : blockTxs.load(block, endMs)),
  };
}

/**
 * Without an order, which alone costs as much as the look-up, and so with a limit: anybody may have a tx's bytes
 * included again, block after block. Hashes that exceed it are found by halving.
 */
async function askPlaces(
  hashes: readonly string[],
  query: (sql: string) => Promise<RowBinary>,
): Promise<(readonly HashPlace[] | typeof TOO_MANY)[]> {
  const rows = readAll(
    await query(
      `SELECT hash, height, tx_index, msg_index, code FROM tx_hashes PREWHERE ${hashCondition(hashes)} ` +
        `LIMIT ${uintLiteral(MAX_PLACES)}`,
    ),
    (row) => ({
      hash: bytesToHex(row.fixed(32)),
      height: row.u64(),
      txIndex: row.u32(),
      msgIndex: row.i32(),
      code: row.u32(),
    }),
  );
  if (rows.length < MAX_PLACES) {
    const found = groupRows(rows, ({ hash }) => hash);
    return hashes.map((hash) => found.get(hash) ?? []);
  }
  if (hashes.length === 1) return [TOO_MANY];
  const middle = hashes.length >> 1;
  const left = await askPlaces(hashes.slice(0, middle), query);
  return [...left, ...(await askPlaces(hashes.slice(middle), query))];
}

// a comparison with one value costs less to plan than a set

function hashCondition(hashes: readonly string[]): string {
  const literals = hashes.map((hex) => hexLiteral(hexToBytes(hex) ?? new Uint8Array(32)));
  return literals.length === 1 ? `hash = ${literals[0]}` : `hash IN (${literals.join(', ')})`;
}

function heightCondition(heights: readonly number[]): string {
  const literals = heights.map(uintLiteral);
  return literals.length === 1 ? `height = ${literals[0]}` : `height IN (${literals.join(', ')})`;
}

function txKeyCondition(keys: readonly TxKey[]): string {
  const literals = keys.map(({ height, txIndex }) => [uintLiteral(height), uintLiteral(txIndex)] as const);
  const [first] = literals;
  return literals.length === 1 && first !== undefined
    ? `height = ${first[0]} AND tx_index = ${first[1]}`
    : `(height, tx_index) IN (${literals.map(([height, index]) => `(${height}, ${index})`).join(', ')})`;
}

function keyText({ height, txIndex }: TxKey): string {
  return `${height}/${txIndex}`;
}

function readTxHead(row: RowReader): TxHead {
  return {
    height: row.u64(),
    txIndex: row.u32(),
    hash: row.fixed(32),
    evm: row.array(() => row.bytes()),
  };
}

function readBlockWithEvents(row: RowReader): BlockWithEvents {
  return { ...readBlock(row), events: row.bytes() };
}
