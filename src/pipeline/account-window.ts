import type { Store } from '../store/store.ts';
import { type RowsByHeight, readUpTo } from './rows-by-height.ts';
import type { StoredFactsOptions } from './stored-facts.ts';
import { ask, heightsBetween, limited, shared } from './stored-rows.ts';

/**
 * The accounts of heights, read ahead: account_txs is ordered by account, so that each reading looks at the heights of
 * all its rows, and the fewer there are the better.
 */
export interface AccountWindow {
  /** Those of heights (from, to], or of the first of them. Called in the order of heights. */
  read(fromHeight: number, toHeight: number): Promise<RowsByHeight<string>>;
}

const NO_ACCOUNTS: ReadonlyMap<number, string[]> = new Map();
const WINDOW_ROWS = 500_000;
/** Heights whose rows are counted together, so that a window is cut before it is read. */
const COUNTED_HEIGHTS = 64;

export function createAccountWindow(store: Store, options: StoredFactsOptions): AccountWindow {
  const { filter, maxAccountRows = WINDOW_ROWS } = options;
  let window: RowsByHeight<string> = { toHeight: options.fromHeight, byHeight: NO_ACCOUNTS };
  let counts: Promise<readonly RowsUpTo[]> | undefined;
  return {
    async read(fromHeight, toHeight) {
      if (!filter.accounts) return { toHeight, byHeight: NO_ACCOUNTS };
      if (window.toHeight <= fromHeight) {
        counts ??= countAccounts(store, options);
        const wanted = endOfWindow(await counts, fromHeight, options.toHeight, maxAccountRows);
        window = await readUpTo(fromHeight, wanted, maxAccountRows, (heights, limit) =>
          readAccounts(store, heights, limit),
        );
      }
      return { toHeight: Math.min(toHeight, window.toHeight), byHeight: window.byHeight };
    },
  };
}

interface RowsUpTo {
  readonly toHeight: number;
  /** Behind the entry before. */
  readonly rows: number;
}

async function countAccounts(
  store: Store,
  { fromHeight, toHeight }: StoredFactsOptions,
): Promise<readonly RowsUpTo[]> {
  const row = await ask(
    store,
    `SELECT toUInt64(intDiv(height - 1, ${COUNTED_HEIGHTS}) + 1) * ${COUNTED_HEIGHTS} AS last, count() ` +
      `FROM account_txs WHERE ${heightsBetween(fromHeight, toHeight)} GROUP BY last ORDER BY last`,
  );
  const counts: RowsUpTo[] = [];
  while (!row.done) counts.push({ toHeight: row.u64(), rows: row.u64() });
  return counts;
}

/** Up to where there are at most so many rows, in whole entries; one of them at least. */
function endOfWindow(
  counts: readonly RowsUpTo[],
  fromHeight: number,
  toHeight: number,
  maxRows: number,
): number {
  let rows = 0;
  let end: number | undefined;
  for (const each of counts) {
    if (each.toHeight <= fromHeight) continue;
    rows += each.rows;
    if (end !== undefined && rows > maxRows) return Math.min(end, toHeight);
    end = each.toHeight;
  }
  return toHeight;
}

async function readAccounts(
  store: Store,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, string])[]> {
  const row = await ask(
    store,
    `SELECT DISTINCT height, account FROM account_txs WHERE ${heights} ORDER BY height${limited(limit)}`,
  );
  const known = new Map<string, string>();
  const accounts: (readonly [number, string])[] = [];
  while (!row.done) accounts.push([row.u64(), shared(known, row.string())]);
  return accounts;
}
