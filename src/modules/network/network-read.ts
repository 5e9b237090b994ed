import { asOf } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import { uintLiteral } from '../../store/sql.ts';
import { NETWORK_COUNTS, NETWORK_DAYS, TOTALS, type Total } from './tables.ts';

type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

export type NetworkTotals = Readonly<Record<Total, number>> & { readonly distributed_stable: string };

const NOTHING = {
  ...(Object.fromEntries(TOTALS.map((name) => [name, 0])) as Record<Total, number>),
  distributed_stable: '0',
};

/** As of the snapshot. */
export async function networkTotals({ snapshot, query }: Reading): Promise<NetworkTotals> {
  if (!snapshot.generations.has(NETWORK_COUNTS.module)) return NOTHING;
  const rows = await query(
    `SELECT distributed_stable, ${TOTALS.join(', ')} FROM ${NETWORK_COUNTS.name} ` +
      `WHERE ${asOf(snapshot, NETWORK_COUNTS)} ORDER BY height DESC LIMIT 1`,
  );
  const [totals = NOTHING] = readAll(rows, (row) => ({
    distributed_stable: String(row.i256()),
    ...(Object.fromEntries(TOTALS.map((name) => [name, row.u64()])) as Record<Total, number>),
  }));
  return totals;
}

export interface NetworkDay {
  readonly transactions: number;
  readonly activeAddresses: number;
  readonly swaps: number;
}

/**
 * What each of `count` days (since 1970) up to `last` has seen as of the snapshot, oldest first: of the rows that begin
 * the days there is one a day, however many blocks it has.
 */
export async function networkDays(
  { snapshot, query }: Reading,
  last: number,
  count: number,
): Promise<readonly NetworkDay[]> {
  const first = last - count + 1;
  const found = new Map<number, NetworkDay>();
  if (snapshot.generations.has(NETWORK_DAYS.module)) {
    const counted = 'transactions, active_addresses, swaps';
    const [begun, newest] = await Promise.all([
      query(
        `SELECT day, ${counted} FROM ${NETWORK_DAYS.name} WHERE ${asOf(snapshot, NETWORK_DAYS)} ` +
          `AND day >= ${uintLiteral(Math.max(first, 0))} ORDER BY day DESC`,
      ),
      query(
        `SELECT day, ${counted} FROM ${NETWORK_COUNTS.name} WHERE ${asOf(snapshot, NETWORK_COUNTS)} ` +
          'ORDER BY height DESC LIMIT 1',
      ),
    ]);
    let [end = { day: 0, transactions: 0, activeAddresses: 0, swaps: 0 }] = readAll(newest, readDay);
    for (const begin of readAll(begun, readDay)) {
      found.set(begin.day, {
        transactions: end.transactions - begin.transactions,
        activeAddresses: end.activeAddresses,
        swaps: end.swaps - begin.swaps,
      });
      end = begin;
    }
  }
  const nothing = { transactions: 0, activeAddresses: 0, swaps: 0 };
  return Array.from({ length: count }, (_, i) => found.get(first + i) ?? nothing);
}

function readDay(row: RowReader): NetworkDay & { readonly day: number } {
  return { day: row.u32(), transactions: row.u64(), activeAddresses: row.u64(), swaps: row.u64() };
}
