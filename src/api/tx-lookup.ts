import { asBuffer, bytesToHex, hexToBytes } from '../core/bytes.ts';
import { RowReader } from '../store/rowbinary.ts';
import { hexLiteral, uintLiteral } from '../store/sql.ts';
import type { TxHashParam } from './params.ts';
import type { RouteContext } from './route.ts';
import { readTx, TX_COLUMNS } from './rows.ts';
import type { TxRow } from './tx-json.ts';

/**
 * Look-ups by hash: the key from tx_hashes, then the row by its key. Two point queries take 8 ms of CPU where one
 * with a scalar or IN subquery takes 9 to 10, and look-ups that arrive together can share either.
 */

export interface FoundTx {
  readonly row: TxRow;
  /** The message whose EVM view is meant: that of the eth hash, else the first. */
  readonly evmIndex: number;
}

export async function findTx(context: RouteContext, hash: TxHashParam): Promise<FoundTx | undefined> {
  const place = await findPlace(context, hash);
  if (place === undefined) return undefined;
  const row = new RowReader(await context.query(atPlace(place, TX_COLUMNS)));
  return row.done ? undefined : { row: readTx(row), evmIndex: place.evmIndex };
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
  const place = await findPlace(context, hash);
  if (place === undefined) return undefined;
  const row = new RowReader(await context.query(atPlace(place, 'hash, evm')));
  if (row.done) return undefined;
  const id = bytesToHex(row.fixed(32)).toUpperCase();
  const evm = row.array(() => row.bytes())[place.evmIndex];
  return { id, ethHash: evm === undefined ? undefined : ethHashOf(evm) };
}

interface TxPlace {
  readonly height: number;
  readonly txIndex: number;
  readonly evmIndex: number;
}

const BEST_FIRST =
  'ORDER BY code = 0 DESC, if(code = 0, 1, -1) * toInt64(height), ' +
  'if(code = 0, 1, -1) * toInt64(tx_index), if(code = 0, 1, -1) * toInt64(msg_index)';

/**
 * A hash may stand in several txs, since a failed one can be included again, and in every block where its bytes are
 * repeated. The successful tx counts, the first should there be more (no later block can replace it); else the latest.
 */
async function findPlace(context: RouteContext, hash: TxHashParam): Promise<TxPlace | undefined> {
  const bytes = hexToBytes(hash.hex) ?? new Uint8Array(32);
  const ofKind = hash.kind === 'consensus' ? 'msg_index = -1' : 'msg_index >= 0';
  const row = new RowReader(
    await context.query(
      `SELECT height, tx_index, msg_index FROM tx_hashes WHERE hash = ${hexLiteral(bytes)} ` +
        `AND height <= ${uintLiteral(context.snapshot.indexedHeight)} AND ${ofKind} ${BEST_FIRST} LIMIT 1`,
    ),
  );
  return row.done ? undefined : { height: row.u64(), txIndex: row.u32(), evmIndex: Math.max(0, row.i32()) };
}

function atPlace({ height, txIndex }: TxPlace, columns: string): string {
  return `SELECT ${columns} FROM txs WHERE height = ${uintLiteral(height)} AND tx_index = ${uintLiteral(txIndex)}`;
}

/** Quotes inside a JSON string are escaped, so only the key itself can match. */
function ethHashOf(evm: Uint8Array): string | undefined {
  return /"eth_hash":"(0x[0-9a-f]{64})"/.exec(asBuffer(evm).toString('latin1'))?.[1];
}
