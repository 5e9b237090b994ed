import { asOf } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { selection } from '../../core/reading.ts';
import { intLiteral, quote, uintLiteral } from '../../store/sql.ts';
import type { RowBinary } from '../../store/store.ts';
import { txHashJson } from '../record-json.ts';
import type { TransferRow } from './rows.ts';
import { BRIDGE_TRANSFERS, BRIDGE_TRANSFERS_BY_ACCOUNT } from './tables.ts';

/** What is not undefined must fit. */
export interface TransferFilter {
  readonly routeId: string | undefined;
  readonly status: string | undefined;
  /** Sender or recipient, as the rows have them: bech32, or lower-case 0x hex of the remote side. */
  readonly account: string | undefined;
  readonly messageId: string | undefined;
}

export type TransferKey = Pick<TransferRow, 'height' | 'tx_index' | 'event_index'>;

const ROWS = selection(BRIDGE_TRANSFERS);
const KEY = 'height, tx_index, event_index';
const NEWEST_FIRST = 'ORDER BY height DESC, tx_index DESC, event_index DESC';

/** The newest `count` transfers older than a key. Those of an account are found in the table that has them in order. */
export async function transfersPage(
  { snapshot, query }: Pick<RouteContext, 'snapshot' | 'query'>,
  { routeId, status, account, messageId }: TransferFilter,
  behind: TransferKey | undefined,
  count: number,
): Promise<readonly TransferRow[]> {
  const where = [
    asOf(snapshot, BRIDGE_TRANSFERS),
    ...(routeId === undefined ? [] : [`route_id = ${quote(routeId)}`]),
    ...(status === undefined ? [] : [`status = ${quote(status)}`]),
    ...(messageId === undefined ? [] : [`message_id = ${quote(messageId)}`]),
    ...(behind === undefined ? [] : [olderThan(behind)]),
  ].join(' AND ');
  const newest = `${NEWEST_FIRST} LIMIT ${uintLiteral(count)}`;
  const select = `SELECT ${ROWS.columns} FROM ${BRIDGE_TRANSFERS.name} WHERE`;
  if (account === undefined) return read(await query(`${select} ${where} ${newest}`));
  const keys =
    `SELECT ${KEY} FROM ${BRIDGE_TRANSFERS_BY_ACCOUNT.name} ` +
    `WHERE account = ${quote(account)} AND ${where} ${newest}`;
  const rows = await query(`${select} ${asOf(snapshot, BRIDGE_TRANSFERS)} AND (${KEY}) IN (${keys})`);
  // put into order here: the engine reads scattered rows three times as long where it is to give them in order
  return [...read(rows)].sort(
    (a, b) => b.height - a.height || b.tx_index - a.tx_index || b.event_index - a.event_index,
  );
}

function read(rows: RowBinary): readonly TransferRow[] {
  return readAll(rows, ROWS.read) as readonly TransferRow[];
}

/** In this form the primary index is used. */
function olderThan({ height, tx_index, event_index }: TransferKey): string {
  const [h, i, e] = [uintLiteral(height), intLiteral(tx_index), intLiteral(event_index)];
  return `height <= ${h} AND (height < ${h} OR tx_index < ${i} OR (tx_index = ${i} AND event_index < ${e}))`;
}

/** BridgeTransfer of api.md; a bigint is an integer in its JSON. */
export function transferJson(transfer: TransferRow): Readonly<Record<string, unknown>> {
  return {
    height: transfer.height,
    tx_index: transfer.tx_index,
    tx_hash: txHashJson(transfer.tx_hash),
    route_id: transfer.route_id,
    direction: transfer.direction,
    status: transfer.status,
    sender: transfer.sender,
    recipient: transfer.recipient,
    amount: String(transfer.amount),
    message_id: transfer.message_id,
    reason: transfer.reason,
    block_time_ns: transfer.block_time_ns,
    event_index: transfer.event_index,
    asset_id: transfer.asset_id,
    kind_id: transfer.kind_id,
    bundle: transfer.bundle,
  };
}
