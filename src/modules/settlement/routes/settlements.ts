import { StrataError } from 'strata-kit/errors';
import { walkHeight } from '../../../api/as-of.ts';
import { heightField, uint64Field } from '../../../api/cursor-fields.ts';
import { parseLimit, readAddress } from '../../../api/params.ts';
import type { Route, RouteContext, RouteRequest } from '../../../api/route.ts';
import { settlementJson } from '../settlement-json.ts';
import { findSettlements } from '../settlements-read.ts';

const PATH = '/v1/settlements';
const PREFIX = 'STATUS_';
const STATUSES = ['PENDING', 'SETTLED', 'CANCELLED', 'EXPIRED'];

/**
 * Settlements, newest first. A cursor carries the height of the first page, and every page of a walk is as of it: what a
 * filter by status lists changes with every block.
 */
export const settlementsRoute: Route = {
  path: PATH,
  query: ['party', 'status', 'limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const limit = parseLimit(request.query.get('limit'));
    const party = parseParty(request.query.get('party'), context);
    const status = parseStatus(request.query.get('status'));
    const scope = [PATH, party ?? '', status ?? ''];
    const { height, below } = positionOf(request, context, scope);
    const found = await findSettlements(context, { party, status, below, height }, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next =
      found.length > limit && last !== undefined
        ? context.cursors.encodeKey(scope, [String(height), String(last.id)])
        : null;
    const texts = page.map((settlement) => settlementJson(settlement)).join(',');
    return { parts: [`{"settlements":[${texts}],"next_cursor":${JSON.stringify(next)}}`] };
  },
};

interface Position {
  readonly height: number;
  readonly below: bigint | undefined;
}

/** Errors: bad_request. */
function positionOf(
  { query }: RouteRequest,
  { snapshot, cursors }: RouteContext,
  scope: readonly string[],
): Position {
  const cursor = query.get('cursor');
  if (cursor === undefined) return { height: snapshot.indexedHeight, below: undefined };
  const [height, below] = cursors.decodeKey(scope, cursor, [heightField, uint64Field] as const);
  return { height: walkHeight(snapshot, height), below };
}

/** api.md takes bech32 alone here. Errors: bad_request. */
function parseParty(text: string | undefined, { chain }: RouteContext): string | undefined {
  if (text === undefined) return undefined;
  const address = /^0x/i.test(text) ? undefined : readAddress(text, chain.hrp);
  if (address !== undefined) return address.bech32;
  throw new StrataError('bad_request', `party must be a valid ${chain.hrp}1… address`);
}

/** The long form. Errors: bad_request. */
function parseStatus(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const name = STATUSES.find((known) => text === PREFIX + known || text === known.toLowerCase());
  if (name !== undefined) return PREFIX + name;
  const forms = STATUSES.map((known) => `${PREFIX}${known} (${known.toLowerCase()})`);
  throw new StrataError('bad_request', `status must be one of ${forms.join(', ')}`);
}
