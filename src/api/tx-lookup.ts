import { bytesToHex, hexToBytes } from '../core/bytes.ts';
import { RowReader } from '../store/rowbinary.ts';
import { fixedLiteral, uintLiteral } from '../store/sql.ts';
import type { TxHashParam } from './params.ts';
import type { RouteContext } from './route.ts';
import { readTx, TX_COLUMNS } from './rows.ts';
import type { TxRow } from './tx-json.ts';

/**
 * Look-ups by hash. A hash may stand in several txs: a failed one can be included again. The successful one
 * counts, else the latest (chain.md). These are the point queries to batch when many arrive together.
 */

export interface FoundTx {
  readonly row: TxRow;
  /** The message whose EVM view is meant: that of the eth hash, else the first. */
  readonly evmIndex: number;
}

export async function findTx(context: RouteContext, hash: TxHashParam): Promise<FoundTx | undefined> {
  const row = new RowReader(await context.query(atKey(context, hash, TX_COLUMNS)));
  if (row.done) return undefined;
  const tx = readTx(row);
  return { row: tx, evmIndex: Math.max(0, row.i32()) };
}

/** Hashes of a tx for a candidate of /v1/lookup: upper-case consensus hash, 0x eth hash where it has one. */
export interface TxCandidate {
  readonly id: string;
  readonly ethHash: string | undefined;
}

export async function findTxCandidate(
  context: RouteContext,
  hash: TxHashParam,
): Promise<TxCandidate | undefined> {
  // evm[n] counts from 1, and is empty beyond the end
  const columns = `hash, JSONExtractString(evm[greatest(0, ${MSG_INDEX}) + 1], 'eth_hash')`;
  const row = new RowReader(await context.query(atKey(context, hash, columns)));
  if (row.done) return undefined;
  const id = bytesToHex(row.fixed(32)).toUpperCase();
  const ethHash = row.string();
  return { id, ethHash: ethHash === '' ? undefined : ethHash };
}

/** A scalar subquery is nullable while its result is not known. */
const MSG_INDEX = 'toInt32(ifNull(key.3, -1))';

/** The key is a scalar, so that txs is read by its primary key: a join reads it whole. */
function atKey(context: RouteContext, hash: TxHashParam, columns: string): string {
  const bytes = hexToBytes(hash.hex) ?? new Uint8Array(32);
  const ofKind = hash.kind === 'consensus' ? 'msg_index = -1' : 'msg_index >= 0';
  // among failed ones the latest; among successful ones the first, which no later block can replace
  const direction = 'if(code = 0, 1, -1)';
  return (
    `WITH (SELECT (height, tx_index, msg_index) FROM tx_hashes WHERE hash = ${fixedLiteral(bytes)} ` +
    `AND ${ofKind} AND height <= ${uintLiteral(context.snapshot.indexedHeight)} ` +
    `ORDER BY code != 0, ${direction} * toInt64(height), ${direction} * toInt64(tx_index), msg_index LIMIT 1) AS key ` +
    `SELECT ${columns}, ${MSG_INDEX} FROM txs WHERE height = key.1 AND tx_index = key.2`
  );
}
