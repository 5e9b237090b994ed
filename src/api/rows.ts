import { RowReader } from '../core/rowbinary.ts';
import { NO_BAD_BLOCKS } from '../store/bad-blocks.ts';
import type { RowBinary } from '../store/store.ts';
import type { BlockRow } from './block-json.ts';
import type { Snapshot } from './route.ts';
import type { TxRow } from './tx-json.ts';

/** Column lists and the readers of their rows, side by side so that they stay in one order. */

export const TX_COLUMNS =
  'height, tx_index, hash, code, codespace, raw_log, gas_wanted, gas_used, block_time_ns, msgs, fee, evm, events';

export function readTx(row: RowReader): TxRow {
  return {
    height: row.u64(),
    txIndex: row.u32(),
    hash: row.fixed(32),
    code: row.u32(),
    codespace: row.string(),
    rawLog: row.bytes(),
    gasWanted: row.i64big(),
    gasUsed: row.i64big(),
    blockTimeNs: row.i64big(),
    msgs: row.bytes(),
    fee: row.bytes(),
    evm: row.array(() => row.bytes()),
    events: row.bytes(),
  };
}

export function readTxs(bytes: RowBinary): TxRow[] {
  return readAll(bytes, readTx);
}

export const BLOCK_COLUMNS = 'height, hash, time_ns, proposer, tx_count, event_count';

export function readBlock(row: RowReader): BlockRow {
  return {
    height: row.u64(),
    hash: row.fixed(32),
    timeNs: row.i64big(),
    proposer: row.fixed(20),
    txCount: row.u32(),
    eventCount: row.u32(),
  };
}

export function readBlocks(bytes: RowBinary): BlockRow[] {
  return readAll(bytes, readBlock);
}

/** Rows of (method String, count UInt64). */
export function readMethodCounts(bytes: RowBinary): Map<string, number> {
  return new Map(readAll(bytes, (row) => [row.string(), row.u64()] as const));
}

const CHECKPOINT_ROW = 0;
const RECONCILIATIONS_ROW = 2;

/** While nothing is indexed. */
export const EMPTY_SNAPSHOT: Snapshot = {
  indexedHeight: 0,
  firstHeight: 1,
  latestBlockTimeNs: 0n,
  chainHeight: 0,
  generations: new Map(),
  reconciliations: 0,
  driftTotal: 0,
  badBlocks: NO_BAD_BLOCKS,
};

/** A snapshot without what is counted beside it, and what tells that a count has changed. */
export interface StateReading {
  readonly snapshot: Snapshot;
  /** How many rows of drift and of bad blocks the checkpoint counts. */
  readonly driftRows: number;
  readonly badBlockRows: number;
}

/**
 * Rows of (kind, height, first_height UInt64, block_time_ns Int64, chain_height, drift rows, rows of bad blocks UInt64,
 * generations Map(String, UInt64)): see state.ts. In that of the reconciliations the height is their newest sequence.
 * What `before` has and no row says stays; the chain's height only grows.
 */
export function readSnapshot(bytes: RowBinary, before: Snapshot): StateReading {
  let snapshot = before;
  let chainHeight = before.chainHeight;
  let [driftRows, badBlockRows] = [0, 0];
  const row = new RowReader(bytes);
  while (!row.done) {
    const kind = row.u8();
    const indexedHeight = row.u64();
    const firstHeight = row.u64();
    const latestBlockTimeNs = row.i64big();
    const toldHeight = row.u64();
    const [drift, bad] = [row.u64(), row.u64()];
    const generations = row.map();
    if (kind === RECONCILIATIONS_ROW) {
      snapshot = { ...snapshot, reconciliations: indexedHeight };
      continue;
    }
    chainHeight = Math.max(chainHeight, toldHeight, indexedHeight);
    if (kind === CHECKPOINT_ROW) {
      [driftRows, badBlockRows] = [drift, bad];
      snapshot = { ...snapshot, indexedHeight, firstHeight, latestBlockTimeNs, generations };
    }
  }
  return { snapshot: { ...snapshot, chainHeight }, driftRows, badBlockRows };
}

export function readAll<T>(bytes: RowBinary, read: (row: RowReader) => T): T[] {
  const row = new RowReader(bytes);
  const rows: T[] = [];
  while (!row.done) rows.push(read(row));
  return rows;
}

/** Rows by a key of theirs, in the order in which they came. */
export function groupRows<K, T>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
