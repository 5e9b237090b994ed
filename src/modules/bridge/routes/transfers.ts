import { asOf } from '../../../api/as-of.ts';
import { parseAddress, parseLimit } from '../../../api/params.ts';
import type { Route, RouteContext, RouteRequest } from '../../../api/route.ts';
import { readAll } from '../../../api/rows.ts';
import { bytesToHex } from '../../../core/bytes.ts';
import { StrataError } from '../../../core/errors.ts';
import { intLiteral, quote, uintLiteral } from '../../../store/sql.ts';
import { objectText } from '../json-text.ts';
import { readTransfer, TRANSFER_COLUMNS, type TransferRow } from '../rows.ts';
import { BRIDGE_TRANSFERS } from '../tables.ts';

const PATH = '/v1/bridge/transfers';
const STATUSES: readonly string[] = ['in_flight', 'completed', 'rejected'];
const REMOTE = /^0[xX][0-9a-fA-F]{64}$/;

/** Transfers and rejected attempts, newest first; filters combine with "and". */
export const bridgeTransfersRoute: Route = {
  path: PATH,
  query: ['route', 'status', 'account', 'message_id', 'limit', 'cursor'],
  cache: 'head',
  handle: async ({ query }, context) => {
    const limit = parseLimit(query.get('limit'));
    const filters = filtersOf(query, context);
    const scope = [PATH, ...filters];
    const cursor = query.get('cursor');
    const after = cursor === undefined ? [] : [behind(context.cursors.decodeKey(scope, cursor, 3))];
    const where = [asOf(context.snapshot, BRIDGE_TRANSFERS), ...filters, ...after].join(' AND ');
    const rows = await context.query(
      `SELECT ${TRANSFER_COLUMNS} FROM ${BRIDGE_TRANSFERS.name} WHERE ${where} ` +
        `ORDER BY height DESC, tx_index DESC, event_index DESC LIMIT ${uintLiteral(limit + 1)}`,
    );
    const found = readAll(rows, readTransfer);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const next =
      last === undefined
        ? null
        : context.cursors.encodeKey(scope, [last.height, last.txIndex, last.eventIndex].map(String));
    return {
      parts: [`{"transfers":[${page.map(transferText).join(',')}],"next_cursor":${JSON.stringify(next)}}`],
    };
  },
};

/** Conditions; they are the cursor's scope too. Errors: bad_request. */
function filtersOf(query: RouteRequest['query'], { chain }: RouteContext): readonly string[] {
  const route = query.get('route');
  const status = query.get('status');
  const account = query.get('account');
  const messageId = query.get('message_id');
  if (status !== undefined && !STATUSES.includes(status)) {
    throw new StrataError('bad_request', `status must be one of ${STATUSES.join(', ')}`);
  }
  const filters: string[] = [];
  if (route !== undefined) filters.push(`route_id = ${quote(route)}`);
  if (status !== undefined) filters.push(`status = ${quote(status)}`);
  if (account !== undefined) {
    const text = quote(
      REMOTE.test(account) ? account.toLowerCase() : parseAddress(account, chain.hrp).bech32,
    );
    filters.push(`(sender = ${text} OR recipient = ${text})`);
  }
  if (messageId !== undefined) filters.push(`message_id = ${quote(messageId)}`);
  return filters;
}

/** Older than the key; in this form the primary index is used. */
function behind([height = '', txIndex = '', eventIndex = '']: readonly string[]): string {
  const h = uintLiteral(BigInt(height));
  const [i, e] = [intLiteral(BigInt(txIndex)), intLiteral(BigInt(eventIndex))];
  return `height <= ${h} AND (height < ${h} OR tx_index < ${i} OR (tx_index = ${i} AND event_index < ${e}))`;
}

function transferText(transfer: TransferRow): string {
  return objectText({
    height: transfer.height,
    tx_index: transfer.txIndex,
    tx_hash: bytesToHex(transfer.txHash).toUpperCase(),
    route_id: transfer.routeId,
    direction: transfer.direction,
    status: transfer.status,
    sender: transfer.sender,
    recipient: transfer.recipient,
    amount: String(transfer.amount),
    message_id: transfer.messageId,
    reason: transfer.reason,
    block_time_ns: transfer.blockTimeNs,
    event_index: transfer.eventIndex,
    asset_id: transfer.assetId,
    kind_id: transfer.kindId,
    bundle: transfer.bundle,
  });
}
