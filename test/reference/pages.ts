/** Totals, facets and pages over the recorded chain, by filtering and slicing a list: nothing to get wrong. */

import { referenceAccounts } from './accounts.ts';
import { type RefTx, referenceTxs } from './txs.ts';

export interface RefFilter {
  /** Type URL of the first message. */
  readonly method?: string;
  /** Canonical bech32. */
  readonly account?: string;
}

export interface MethodCount {
  readonly method: string;
  readonly count: number;
}

export interface RefPage {
  /** Newest first. */
  readonly txs: readonly RefTx[];
  readonly total: number;
  readonly methods: readonly MethodCount[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** The page of at most `limit` txs that leaves out the `from` newest matches. */
export function referencePage(filter: RefFilter, limit: number, from = 0): RefPage {
  const matches = referenceMatches(filter);
  return {
    txs: matches.slice(from, from + limit),
    total: matches.length,
    methods: referenceMethods(filter.account),
    hasNewer: from > 0 && matches.length > 0,
    hasOlder: from + limit < matches.length,
  };
}

/** Where the oldest page starts: it holds total mod limit txs, or a full page when limit divides total. */
export function lastPageStart(total: number, limit: number): number {
  return total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
}

/** Every tx that the filter keeps, newest first. */
export function referenceMatches(filter: RefFilter): readonly RefTx[] {
  let txs = referenceTxs();
  if (filter.account !== undefined) txs = txsOf(filter.account);
  if (filter.method !== undefined) txs = txs.filter((tx) => tx.method === filter.method);
  return txs.toReversed();
}

/** Txs per first-message type, of the chain or of one account; most frequent first, ties by type URL. */
export function referenceMethods(account?: string): readonly MethodCount[] {
  const counts = new Map<string, number>();
  for (const tx of account === undefined ? referenceTxs() : txsOf(account)) {
    if (tx.method !== '') counts.set(tx.method, (counts.get(tx.method) ?? 0) + 1);
  }
  return [...counts]
    .map(([method, count]) => ({ method, count }))
    .sort((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1));
}

/** Txs per UTC day that has any, oldest first. */
export function referenceDays(): readonly { readonly day: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { blockTime } of referenceTxs()) {
    const day = blockTime.slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, count }));
}

let byPlace: ReadonlyMap<string, RefTx> | undefined;

function txsOf(account: string): readonly RefTx[] {
  byPlace ??= new Map(referenceTxs().map((tx) => [`${tx.height}/${tx.txIndex}`, tx]));
  const places = byPlace;
  return (referenceAccounts().get(account) ?? []).map(({ height, txIndex }) => {
    const tx = places.get(`${height}/${txIndex}`);
    if (tx === undefined) throw new Error(`no tx ${height}/${txIndex}`);
    return tx;
  });
}
