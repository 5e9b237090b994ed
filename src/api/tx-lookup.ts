import { asBuffer, bytesToHex, hexToBytes } from 'strata-kit/bytes';
import { RowReader } from '../core/rowbinary.ts';
import { hexLiteral, uintLiteral } from '../store/sql.ts';
import { type HashPlace, TOO_MANY } from './lookups.ts';
import type { TxHashParam } from './params.ts';
import type { RouteContext } from './route.ts';
import type { TxRow } from './tx-json.ts';

/**
 * Look-ups by hash: the key from tx_hashes, then the row by its key. One query with a scalar or IN subquery takes
 * longer than the two, and each of the two is shared with the look-ups that arrive together.
 */

export interface FoundTx {
  readonly row: TxRow;
  /** The message whose EVM view is meant: that of the eth hash, else the first. */
  readonly evmIndex: number;
}

export async function findTx(context: RouteContext, hash: TxHashParam): Promise<FoundTx | undefined> {
  const place = await findPlace(context, hash);
  if (place === undefined) return undefined;
  const row = await context.lookups.tx(place, context.endMs);
  return row === undefined ? undefined : { row, evmIndex: evmIndexOf(place) };
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
  const head = await context.lookups.txHead(place, context.endMs);
  if (head === undefined) return undefined;
  const evm = head.evm[evmIndexOf(place)];
  return {
    id: bytesToHex(head.hash).toUpperCase(),
    ethHash: evm === undefined ? undefined : ethHashOf(evm),
  };
}

/**
 * A hash may stand in several txs, since a failed one can be included again, and in every block where its bytes are
 * repeated. The successful tx counts, the first should there be more (no later block can replace it); else the latest.
 */
async function findPlace(context: RouteContext, hash: TxHashParam): Promise<HashPlace | undefined> {
  const places = await context.lookups.places(hash.hex, context.endMs);
  if (places === TOO_MANY) return askBestPlace(context, hash);
  const { indexedHeight } = context.snapshot;
  let best: HashPlace | undefined;
  for (const place of places) {
    if (place.height > indexedHeight || !isOfKind(place, hash)) continue;
    if (best === undefined || isBetter(place, best)) best = place;
  }
  return best;
}

function isOfKind({ msgIndex }: HashPlace, { kind }: TxHashParam): boolean {
  return kind === 'consensus' ? msgIndex === -1 : msgIndex >= 0;
}

function isBetter(a: HashPlace, b: HashPlace): boolean {
  if ((a.code === 0) !== (b.code === 0)) return a.code === 0;
  const difference = a.height - b.height || a.txIndex - b.txIndex || a.msgIndex - b.msgIndex;
  return a.code === 0 ? difference < 0 : difference > 0;
}

const BEST_FIRST =
  'ORDER BY code = 0 DESC, if(code = 0, 1, -1) * toInt64(height), ' +
  'if(code = 0, 1, -1) * toInt64(tx_index), if(code = 0, 1, -1) * toInt64(msg_index)';

/** As findPlace says, in one row however many txs have the hash. */
async function askBestPlace(context: RouteContext, hash: TxHashParam): Promise<HashPlace | undefined> {
  const bytes = hexToBytes(hash.hex) ?? new Uint8Array(32);
  const ofKind = hash.kind === 'consensus' ? 'msg_index = -1' : 'msg_index >= 0';
  const row = new RowReader(
    await context.query(
      `SELECT height, tx_index, msg_index, code FROM tx_hashes WHERE hash = ${hexLiteral(bytes)} ` +
        `AND height <= ${uintLiteral(context.snapshot.indexedHeight)} AND ${ofKind} ${BEST_FIRST} LIMIT 1`,
    ),
  );
  return row.done
    ? undefined
    : { height: row.u64(), txIndex: row.u32(), msgIndex: row.i32(), code: row.u32() };
}

function evmIndexOf({ msgIndex }: HashPlace): number {
  return Math.max(0, msgIndex);
}

/** Quotes inside a JSON string are escaped, so only the key itself can match. */
function ethHashOf(evm: Uint8Array): string | undefined {
  return /"eth_hash":"(0x[0-9a-f]{64})"/.exec(asBuffer(evm).toString('latin1'))?.[1];
}
