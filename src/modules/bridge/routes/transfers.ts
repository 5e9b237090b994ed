import { StrataError } from 'strata-kit/errors';
import { heightField, int32Field } from '../../../api/cursor-fields.ts';
import { parseAddress, parseLimit } from '../../../api/params.ts';
import type { Route, RouteContext, RouteRequest } from '../../../api/route.ts';
import { objectText } from '../json-text.ts';
import { remoteText } from '../rejections.ts';
import { type TransferFilter, transferJson, transfersPage } from '../transfers-read.ts';

const PATH = '/v1/bridge/transfers';
/** Of a cursor: height, tx index (−1 for block-level events) and event index. */
const PLACE = [heightField, int32Field, int32Field] as const;
const STATUSES: readonly string[] = ['in_flight', 'completed', 'rejected'];
const REMOTE = /^0[xX][0-9a-fA-F]{64}$/;

/** Transfers and rejected attempts, newest first; filters combine with "and". Errors: bad_request. */
export const bridgeTransfersRoute: Route = {
  path: PATH,
  query: ['route', 'status', 'account', 'message_id', 'limit', 'cursor'],
  cache: 'head',
  handle: async ({ query }, context) => {
    const limit = parseLimit(query.get('limit'));
    const filter = filterOf(query, context);
    const scope = [PATH, JSON.stringify(filter)];
    const cursor = query.get('cursor');
    const [height, txIndex, eventIndex] =
      cursor === undefined ? [] : context.cursors.decodeKey(scope, cursor, PLACE);
    const behind =
      height === undefined || txIndex === undefined || eventIndex === undefined
        ? undefined
        : { height, tx_index: txIndex, event_index: eventIndex };
    const found = await transfersPage(context, filter, behind, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const next =
      last === undefined
        ? null
        : context.cursors.encodeKey(scope, [last.height, last.tx_index, last.event_index].map(String));
    const transfers = page.map((transfer) => objectText(transferJson(transfer)));
    return { parts: [`{"transfers":[${transfers.join(',')}],"next_cursor":${JSON.stringify(next)}}`] };
  },
};

/** Errors: bad_request. */
function filterOf(query: RouteRequest['query'], { chain }: RouteContext): TransferFilter {
  const status = query.get('status');
  const account = query.get('account');
  const messageId = query.get('message_id');
  if (status !== undefined && !STATUSES.includes(status)) {
    throw new StrataError('bad_request', `status must be one of ${STATUSES.join(', ')}`);
  }
  const isRemote = account !== undefined && REMOTE.test(account);
  return {
    routeId: query.get('route'),
    status,
    account:
      account === undefined || isRemote ? account?.toLowerCase() : parseAddress(account, chain.hrp).bech32,
    messageId: messageId === undefined ? undefined : remoteText(messageId),
  };
}
