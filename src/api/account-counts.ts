import { LRUCache } from 'lru-cache';
import type { RowReader } from '../core/rowbinary.ts';
import { countsQuery } from '../store/seals.ts';
import type { RowBinary } from '../store/store.ts';
import { createBatcher } from './batch.ts';
import type { Snapshot } from './route.ts';
import { groupRows, readAll } from './rows.ts';
import { createMethodCounts, type MethodCounts } from './totals.ts';

/** Tx counts of an account per first-message type, up to a snapshot. `endMs`: see Batcher.load. */
export type AccountCounts = (account: string, snapshot: Snapshot, endMs: number) => Promise<MethodCounts>;

export interface AccountCountsOptions {
  readonly query: (sql: string, endMs: number) => Promise<RowBinary>;
  readonly nowMs: () => number;
  /** Accounts that wait at most. */
  readonly maxWaiting: number;
}

interface Key {
  readonly account: string;
  readonly height: number;
}

/** What one account's sealed and raw rows cost to read is bounded (src/store/seals.ts), so many go together. */
const MAX_ACCOUNTS = 64;
/** A client that walks an account's pages asks for its counts with each. */
const KEPT_BYTES = 4_000_000;
const KEPT_OVERHEAD_BYTES = 500;

export function createAccountCounts({ query, nowMs, maxWaiting }: AccountCountsOptions): AccountCounts {
  const kept = new LRUCache<string, { readonly height: number; readonly counts: MethodCounts }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ counts }, account) =>
      2 * (counts.facetJson.length + account.length) + KEPT_OVERHEAD_BYTES,
  });
  const batcher = createBatcher<Key, MethodCounts>({
    nowMs,
    maxWaiting,
    maxKeys: MAX_ACCOUNTS,
    identity: ({ account, height }) => `${height}/${account}`,
    ask: (keys, endMs) => askCounts(keys, (sql) => query(sql, endMs)),
  });
  return async (account, { indexedHeight }, endMs) => {
    const known = kept.get(account);
    if (known?.height === indexedHeight) return known.counts;
    const counts = await batcher.load({ account, height: indexedHeight }, endMs);
    kept.set(account, { height: indexedHeight, counts });
    return counts;
  };
}

/** One query a snapshot: those that wait together are rarely of two. */
async function askCounts(
  keys: readonly Key[],
  query: (sql: string) => Promise<RowBinary>,
): Promise<readonly MethodCounts[]> {
  const counts = new Map<Key, MethodCounts>();
  for (const group of groupRows(keys, ({ height }) => height).values()) {
    const [{ height }] = group as [Key];
    const accounts = group.map(({ account }) => account);
    const rows = readAll(await query(countsQuery(accounts, height)), readCount);
    const byAccount = groupRows(rows, ({ account }) => account);
    for (const key of group) counts.set(key, createMethodCounts(sumByMethod(byAccount.get(key.account))));
  }
  return keys.map((key) => counts.get(key) as MethodCounts);
}

interface Count {
  readonly account: string;
  readonly method: string;
  readonly txs: number;
}

function readCount(row: RowReader): Count {
  return { account: row.string(), method: row.string(), txs: row.u64() };
}

function sumByMethod(rows: readonly Count[] = []): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { method, txs } of rows) sums.set(method, (sums.get(method) ?? 0) + txs);
  return sums;
}
