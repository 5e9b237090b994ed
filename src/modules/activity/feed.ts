import { bytesToHex } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { formatTimeNs } from 'strata-kit/time';
import { asOf } from '../../api/as-of.ts';
import { parseLimit } from '../../api/params.ts';
import type { BodyPart, RouteContext, RouteRequest } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { jsonArray } from '../../api/tx-json.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import { intLiteral, quote, uintLiteral } from '../../store/sql.ts';
import { ACCOUNT_EVENTS, ASSET_EVENTS } from './tables.ts';

/** Whose feed it is. */
export type FeedOf =
  /** Canonical bech32. */
  { readonly account: string } | { readonly assetId: string };

interface Place {
  readonly height: number;
  readonly ordinal: number;
  readonly txIndex: number;
  readonly eventIndex: number;
  readonly timeNs: bigint;
}

interface TypedEvent {
  readonly type: string;
  readonly mode: string;
  /** Proto-JSON. */
  readonly decoded: Uint8Array;
}

/**
 * A page of a feed as `[event,…]` and the next cursor: ActivityEvents, newest first, which is the reverse of the order of
 * derivation (modules.md rule 0). Events only come on top, so that a cursor is a place and carries no height.
 */
export async function feedPage(
  request: RouteRequest,
  context: RouteContext,
  path: string,
  of: FeedOf,
): Promise<{ readonly events: readonly BodyPart[]; readonly next: string | null }> {
  const subject = 'account' in of ? of.account : of.assetId;
  const scope = [path, subject];
  const limit = parseLimit(request.query.get('limit'));
  const cursor = request.query.get('cursor');
  const beyond = cursor === undefined ? '' : beyondCursor(context, scope, cursor);
  const { table, name } =
    'account' in of ? { table: ACCOUNT_EVENTS, name: 'account' } : { table: ASSET_EVENTS, name: 'asset_id' };
  const sql =
    `SELECT height, ordinal, tx_index, event_index, time_ns FROM ${table.name} ` +
    `WHERE ${asOf(context.snapshot, table)} AND ${name} = ${quote(subject)}${beyond} ` +
    `ORDER BY height DESC, ordinal DESC LIMIT ${uintLiteral(limit + 1)}`;
  const found = readAll(await context.query(sql), readPlace);
  const places = found.slice(0, limit);
  const last = found.length > limit ? places.at(-1) : undefined;
  const next =
    last === undefined
      ? null
      : context.cursors.encode(scope, {
          kind: 'next',
          key: { height: last.height, txIndex: last.ordinal },
        });
  const [typed, hashes] = await Promise.all([typedEvents(context, places), txHashes(context, places)]);
  const events = places.map((place) =>
    eventJson(place, typed.get(eventKey(place)), hashes.get(txKey(place))),
  );
  return { events: jsonArray(events), next };
}

/** Errors: bad_request. */
function beyondCursor(context: RouteContext, scope: readonly string[], text: string): string {
  const cursor = context.cursors.decode(scope, text);
  if (cursor.kind !== 'next') throw new StrataError('bad_request', 'cursor belongs to another list');
  const height = uintLiteral(cursor.key.height);
  const ordinal = uintLiteral(cursor.key.txIndex);
  return ` AND height <= ${height} AND (height < ${height} OR ordinal < ${ordinal})`;
}

function readPlace(row: RowReader): Place {
  return {
    height: row.u64(),
    ordinal: row.u32(),
    txIndex: row.i32(),
    eventIndex: row.u32(),
    timeNs: row.i64big(),
  };
}

async function typedEvents(
  context: RouteContext,
  places: readonly Place[],
): Promise<ReadonlyMap<string, TypedEvent>> {
  if (places.length === 0) return new Map();
  const keys = places.map(
    ({ height, txIndex, eventIndex }) =>
      `(${uintLiteral(height)}, ${intLiteral(txIndex)}, ${uintLiteral(eventIndex)})`,
  );
  const sql =
    'SELECT height, tx_index, event_index, type, mode, decoded FROM typed_events ' +
    `PREWHERE (height, tx_index, event_index) IN (${keys.join(', ')})`;
  return new Map(
    readAll(await context.query(sql), (row) => {
      const key = eventKey({ height: row.u64(), txIndex: row.i32(), eventIndex: row.u32() });
      return [key, { type: row.string(), mode: row.string(), decoded: row.bytes() }] as const;
    }),
  );
}

/** Upper-case hex of the txs among the places. */
async function txHashes(
  context: RouteContext,
  places: readonly Place[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Set(
    places
      .filter(({ txIndex }) => txIndex >= 0)
      .map(({ height, txIndex }) => `(${uintLiteral(height)}, ${uintLiteral(txIndex)})`),
  );
  if (keys.size === 0) return new Map();
  const sql = `SELECT height, tx_index, hash FROM txs PREWHERE (height, tx_index) IN (${[...keys].join(', ')})`;
  return new Map(
    readAll(await context.query(sql), (row) => {
      const key = txKey({ height: row.u64(), txIndex: row.u32() });
      return [key, bytesToHex(row.fixed(32)).toUpperCase()] as const;
    }),
  );
}

function eventKey({ height, txIndex, eventIndex }: Pick<Place, 'height' | 'txIndex' | 'eventIndex'>): string {
  return `${height}/${txIndex}/${eventIndex}`;
}

function txKey({ height, txIndex }: Pick<Place, 'height' | 'txIndex'>): string {
  return `${height}/${txIndex}`;
}

/** ActivityEvent of api.md, in its field order. */
function eventJson(place: Place, event: TypedEvent | undefined, hash: string | undefined): BodyPart[] {
  if (event === undefined)
    throw new StrataError('internal', 'an event of a feed is not among the typed ones');
  const { height, txIndex, eventIndex, timeNs } = place;
  const mode = event.mode === '' ? '' : `,"mode":${JSON.stringify(event.mode)}`;
  return [
    `{"height":${height},"tx_index":${txIndex},"event_index":${eventIndex},` +
      `"tx_hash":${txIndex < 0 ? 'null' : JSON.stringify(hash ?? '')},"block_time":"${formatTimeNs(timeNs)}",` +
      `"type":${JSON.stringify(event.type)}${mode},"decoded":`,
    event.decoded,
    '}',
  ];
}
