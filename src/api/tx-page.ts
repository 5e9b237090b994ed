import { quote, uintLiteral } from '../store/sql.ts';
import type { Cursor, CursorScope, TxKey } from './cursor.ts';
import { DEFAULT_LIMIT, parseLimit } from './params.ts';
import type { RouteAnswer, RouteContext, RouteRequest } from './route.ts';
import { readTxs, TX_COLUMNS } from './rows.ts';
import type { MethodCounts } from './totals.ts';
import { type TxRow, txListJson } from './tx-json.ts';

/** What a list of txs is restricted to. `account` is canonical bech32, `method` a type URL. */
export interface TxFilter {
  readonly account?: string | undefined;
  readonly method?: string | undefined;
}

/** Newest first, as answered, with what lies beyond either end at the snapshot. */
interface TxPage {
  readonly rows: readonly TxRow[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly pageSize: number;
}

/**
 * A TxPage (api.md section 2; rules 1 to 3 of section 4), paged by the key (height, tx_index). `counts` gives
 * the facet and the totals of the filter's account, or of the whole chain.
 */
export async function answerTxPage(
  request: RouteRequest,
  context: RouteContext,
  route: string,
  filter: TxFilter,
  counts: () => Promise<MethodCounts>,
): Promise<RouteAnswer> {
  const scope: CursorScope = [route, filter.account ?? '', filter.method ?? ''];
  const cursorText = request.query.get('cursor');
  const cursor = cursorText === undefined ? undefined : context.cursors.decode(scope, cursorText);
  // a last_cursor carries its page size, and a limit beside it is ignored
  const pageSize =
    cursor?.kind === 'last' ? cursor.pageSize : parseLimit(request.query.get('limit'), DEFAULT_LIMIT);

  const totalOf = (found: MethodCounts) =>
    filter.method === undefined ? found.total : found.countOf(filter.method);
  const [page, found] =
    cursor?.kind === 'last'
      ? await oldestPage(context, filter, pageSize, counts, totalOf)
      : await Promise.all([keysetPage(context, filter, pageSize, cursor), counts()]);
  const total = totalOf(found);

  const first = page.rows[0];
  const last = page.rows.at(-1);
  const encode = (next: Cursor) => `"${context.cursors.encode(scope, next)}"`;
  const next = page.hasOlder && last ? encode({ kind: 'next', key: keyOf(last) }) : 'null';
  const prev = page.hasNewer && first ? encode({ kind: 'prev', key: keyOf(first) }) : 'null';
  const oldest = total > pageSize ? encode({ kind: 'last', pageSize }) : 'null';
  return {
    parts: [
      '{"txs":',
      ...txListJson(page.rows, context.derivedTypes),
      `,"total":${total},"next_cursor":${next},"prev_cursor":${prev},"last_cursor":${oldest},"methods":`,
      found.facetJson,
      '}',
    ],
  };
}

/** The newest `count` txs of the chain, newest first. */
export async function newestTxs(context: RouteContext, count: number): Promise<readonly TxRow[]> {
  return readTxs(await context.query(pageSql(context, {}, '', 'DESC', count)));
}

/** One row more than the page shows whether there is another page behind it. */
async function keysetPage(
  context: RouteContext,
  filter: TxFilter,
  pageSize: number,
  cursor: Exclude<Cursor, { kind: 'last' }> | undefined,
): Promise<TxPage> {
  const towardsNewer = cursor?.kind === 'prev';
  const beyond = cursor === undefined ? '' : beyondKey(cursor.key, towardsNewer);
  const sql = pageSql(context, filter, beyond, towardsNewer ? 'ASC' : 'DESC', pageSize + 1);
  const found = readTxs(await context.query(sql));
  const hasMore = found.length > pageSize;
  const rows = found.slice(0, pageSize);
  // the cursor's own row lies on the side that the page came from
  return towardsNewer
    ? { rows: rows.reverse(), hasOlder: true, hasNewer: hasMore, pageSize }
    : { rows, hasOlder: hasMore, hasNewer: cursor !== undefined, pageSize };
}

/** total mod page size rows, or a full page when the size divides the total, the total being this answer's. */
async function oldestPage(
  context: RouteContext,
  filter: TxFilter,
  pageSize: number,
  counts: () => Promise<MethodCounts>,
  totalOf: (counts: MethodCounts) => number,
): Promise<[TxPage, MethodCounts]> {
  const found = await counts();
  const total = totalOf(found);
  const rowCount = total % pageSize || Math.min(total, pageSize);
  const rows = readTxs(await context.query(pageSql(context, filter, '', 'ASC', rowCount))).reverse();
  return [{ rows, hasOlder: false, hasNewer: total > rowCount, pageSize }, found];
}

/**
 * Keys first, from the narrowest table that has them in order; the wide columns only for those. Without a filter
 * txs itself is in order. The keyset condition in this form uses the primary index; a tuple comparison takes
 * twice as long.
 */
function pageSql(
  context: RouteContext,
  filter: TxFilter,
  beyond: string,
  order: 'ASC' | 'DESC',
  limit: number,
): string {
  const { table, conditions } = keySource(filter);
  const where = [...conditions, `height <= ${uintLiteral(context.snapshot.indexedHeight)}`, beyond]
    .filter((text) => text !== '')
    .join(' AND ');
  const orderBy = `ORDER BY height ${order}, tx_index ${order}`;
  if (table === 'txs') {
    return `SELECT ${TX_COLUMNS} FROM txs WHERE ${where} ${orderBy} LIMIT ${uintLiteral(limit)}`;
  }
  return (
    `SELECT ${TX_COLUMNS} FROM txs WHERE (height, tx_index) IN (` +
    `SELECT height, tx_index FROM ${table} WHERE ${where} ${orderBy} LIMIT ${uintLiteral(limit)}) ${orderBy}`
  );
}

function keySource({ account, method }: TxFilter): { table: string; conditions: string[] } {
  const ofMethod = method === undefined ? [] : [`method = ${quote(method)}`];
  if (account !== undefined) {
    return { table: 'account_txs', conditions: [`account = ${quote(account)}`, ...ofMethod] };
  }
  return { table: method === undefined ? 'txs' : 'txs_by_method', conditions: ofMethod };
}

function beyondKey({ height, txIndex }: TxKey, towardsNewer: boolean): string {
  const h = uintLiteral(height);
  const i = uintLiteral(txIndex);
  return towardsNewer
    ? `height >= ${h} AND (height > ${h} OR tx_index > ${i})`
    : `height <= ${h} AND (height < ${h} OR tx_index < ${i})`;
}

function keyOf(row: TxRow): TxKey {
  return { height: row.height, txIndex: row.txIndex };
}
