import { LRUCache } from 'lru-cache';
import { asOf, latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { groupRows, readAll } from '../../api/rows.ts';
import { int256Literal, quote, uintLiteral } from '../../store/sql.ts';
import { orderSources } from './holder-order.ts';
import { HOLDER_ORDER, LOCKS } from './tables.ts';

/** A place in the order of a kind's holders: by units descending, then holder ascending. */
export interface Place {
  readonly units: bigint;
  readonly holder: string;
}

export interface HeldLocks {
  /** Sum of the locks. */
  readonly encumbered: bigint;
  /** By ref. */
  readonly locks: readonly { readonly ref: string; readonly units: bigint }[];
}

type Reading = Pick<RouteContext, 'snapshot' | 'query' | 'kept'>;

interface Order {
  readonly assetId: string;
  readonly kindId: number;
  /** As of which it is read. */
  readonly height: number;
}

const LEAST_ROWS = 256;
const MOST_ROWS = 1 << 20;
/** Rows a place: those of holders that have left theirs stand between. */
const ROWS_A_PLACE = 3;
const MAX_KEPT = 10_000;

/** By kind, how many rows it took of late to find a page's places. */
const createRowCounts = () => new LRUCache<string, number>({ max: MAX_KEPT });

/** The first holders behind a place, at most `count`. */
export async function holdersAfter(
  context: Reading,
  order: Order,
  after: Place | undefined,
  count: number,
): Promise<readonly Place[]> {
  const rowCounts = context.kept(createRowCounts);
  const key = `${order.assetId} ${order.kindId}`;
  const least = Math.max(LEAST_ROWS, ROWS_A_PLACE * count);
  let limit = Math.max(least, rowCounts.get(key) ?? 0);
  let from = after;
  const places: Place[] = [];
  let rows = 0;
  for (;;) {
    const found = await readPlaces(context, order, from, limit);
    let read = 0;
    for (const place of found) {
      read += place.rows;
      // of the last one there may be more rows
      if (read === limit) break;
      rows += place.rows;
      from = place;
      if (place.isTaken) places.push({ units: place.units, holder: place.holder });
      if (places.length === count) break;
    }
    if (places.length === count || read < limit) break;
    limit = Math.min(limit * 4, MOST_ROWS);
  }
  // deep pages hold fewer of those that come and go: what the first ones needed fades slowly
  rowCounts.set(key, Math.max(least, Math.ceil(rows * 1.25), Math.floor((rowCounts.get(key) ?? 0) * 0.9)));
  return places;
}

interface ReadPlace extends Place {
  /** Somebody's as of the height; not that of a holder who has left it. */
  readonly isTaken: boolean;
  /** Of the tables. */
  readonly rows: number;
}

/** The places that the first `limit` rows are about; those of the last one may not all be among them. */
async function readPlaces(
  { snapshot, query }: Reading,
  { assetId, kindId, height }: Order,
  after: Place | undefined,
  limit: number,
): Promise<readonly ReadPlace[]> {
  const ofKind = `asset_id = ${quote(assetId)} AND kind_id = ${uintLiteral(kindId)}${behind(after)}`;
  const sources = orderSources(Math.min(height, snapshot.indexedHeight)).map(
    ({ table, where }) =>
      `SELECT neg, holder, sign FROM ${table} WHERE ${asOf(snapshot, HOLDER_ORDER, height)} AND ${where} AND ${ofKind} ` +
      `ORDER BY bucket, asset_id, kind_id, neg, holder LIMIT ${uintLiteral(limit)}`,
  );
  if (sources.length === 0) return [];
  const rows = await query(
    `SELECT neg, holder, sum(sign) > 0, count() FROM (SELECT neg, holder, sign FROM (${sources.join(' UNION ALL ')}) ` +
      `ORDER BY neg, holder LIMIT ${uintLiteral(limit)}) GROUP BY neg, holder ORDER BY neg, holder`,
  );
  return readAll(rows, (row) => ({
    units: -row.i256(),
    holder: row.string(),
    isTaken: row.bool(),
    rows: row.u64(),
  }));
}

function behind(place: Place | undefined): string {
  if (place === undefined) return '';
  const neg = int256Literal(-place.units);
  return ` AND neg >= ${neg} AND (neg > ${neg} OR holder > ${quote(place.holder)})`;
}

/** The locks of some holders of a kind as of a height; holders without one are left out. */
export async function locksOfHolders(
  { snapshot, query }: Pick<RouteContext, 'snapshot' | 'query'>,
  { assetId, kindId, height }: Order,
  holders: readonly string[],
): Promise<ReadonlyMap<string, HeldLocks>> {
  if (holders.length === 0) return new Map();
  const where =
    `asset_id = ${quote(assetId)} AND kind_id = ${uintLiteral(kindId)} ` +
    `AND holder IN (${holders.map(quote).join(', ')})`;
  const rows = await latestRows({ snapshot, query }, LOCKS, ['holder', 'ref', 'units'], where, height);
  const found = rows.filter(({ units }) => units !== 0n);
  return new Map(
    [...groupRows(found, ({ holder }) => holder)].map(([holder, locks]) => [
      holder,
      {
        encumbered: locks.reduce((sum, { units }) => sum + units, 0n),
        locks: locks.map(({ ref, units }) => ({ ref, units })),
      },
    ]),
  );
}
