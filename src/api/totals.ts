import { RowReader } from '../core/rowbinary.ts';
import type { RowBinary } from '../store/store.ts';
import { readMethodCounts } from './rows.ts';

/** Tx counts per first-message type: the facet `methods` and the totals of TxPage (api.md, rules 1 to 3). */
export interface MethodCounts {
  /** Every tx, those without messages included. */
  readonly total: number;
  countOf(method: string): number;
  /** JSON of MethodCount[], most frequent first, then by name; a tx without messages is in no method. */
  readonly facetJson: string;
}

export function createMethodCounts(counts: ReadonlyMap<string, number>): MethodCounts {
  let total = 0;
  for (const count of counts.values()) total += count;
  const facet = [...counts]
    .filter(([method, count]) => method !== '' && count > 0)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([method, count]) => ({ method, count }));
  return { total, countOf: (method) => counts.get(method) ?? 0, facetJson: JSON.stringify(facet) };
}

/** Answers for a height; `query` runs a SELECT. */
export type CountsAt<T> = (indexedHeight: number, query: (sql: string) => Promise<RowBinary>) => Promise<T>;

/** Tx counts of the whole chain up to a height. */
export function createChainTotals(): CountsAt<MethodCounts> {
  const countsAt = createRunningCounts('txs_per_method', 'toString(method)');
  let answer = { height: 0, value: createMethodCounts(new Map()) };
  return async (indexedHeight, query) => {
    if (answer.height !== indexedHeight) {
      answer = {
        height: indexedHeight,
        value: createMethodCounts(await countsAt(indexedHeight, query)),
      };
    }
    return answer.value;
  };
}

/** Tx counts per UTC day of block time, `YYYY-MM-DD`, up to a height. */
export function createDayTotals(): CountsAt<ReadonlyMap<string, number>> {
  return createRunningCounts('txs_per_day', 'toString(day)');
}

/**
 * Sums of `txs` by key in a table with a row a commit. The last sums are kept and only the rows of newer commits are
 * read, so that the cost does not grow with the chain. They count while the checkpoint that they end at stands: when
 * the indexing process stepped back behind it, later commits may cut heights otherwise, and all is counted anew.
 */
function createRunningCounts(table: string, key: string): CountsAt<ReadonlyMap<string, number>> {
  const nothing = { height: 0, counts: new Map<string, number>() as ReadonlyMap<string, number> };
  let known = nothing;
  return async (indexedHeight, query) => {
    const base = known;
    if (base.height === indexedHeight) return base.counts;
    const sumsAbove = async (height: number) =>
      readMethodCounts(
        await query(
          `SELECT ${key}, toUInt64(sum(txs)) FROM ${table} ` +
            `WHERE height > ${height} AND height <= ${indexedHeight} GROUP BY ${key}`,
        ),
      );
    const stands = base.height > 0 && base.height < indexedHeight && (await isCheckpoint(base.height, query));
    const counts = new Map(stands ? base.counts : nothing.counts);
    for (const [name, count] of await sumsAbove(stands ? base.height : 0)) {
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
    known = { height: indexedHeight, counts };
    return counts;
  };
}

async function isCheckpoint(height: number, query: (sql: string) => Promise<RowBinary>): Promise<boolean> {
  const rows = new RowReader(await query(`SELECT count() FROM checkpoints WHERE height = ${height}`));
  return rows.u64() > 0;
}
