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

/**
 * Counts of the whole chain up to a height. The last answer is kept and only the rows of newer commits are read,
 * so that the cost does not grow with the chain.
 */
export function createChainTotals(): (
  indexedHeight: number,
  query: (sql: string) => Promise<RowBinary>,
) => Promise<MethodCounts> {
  let known = { height: 0, counts: new Map<string, number>() as ReadonlyMap<string, number> };
  let answer = { height: 0, value: createMethodCounts(known.counts) };
  return async (indexedHeight, query) => {
    if (answer.height === indexedHeight) return answer.value;
    // a snapshot older than what is known is counted from the start
    const base = known.height <= indexedHeight ? known : { height: 0, counts: new Map<string, number>() };
    const added = readMethodCounts(
      await query(
        `SELECT toString(method), toUInt64(sum(txs)) FROM txs_per_method ` +
          `WHERE height > ${base.height} AND height <= ${indexedHeight} GROUP BY method`,
      ),
    );
    const counts = new Map(base.counts);
    for (const [method, count] of added) counts.set(method, (counts.get(method) ?? 0) + count);
    known = { height: indexedHeight, counts };
    answer = { height: indexedHeight, value: createMethodCounts(counts) };
    return answer.value;
  };
}
