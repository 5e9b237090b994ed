import { expect } from 'vitest';
import { accountOf } from '../../reference/addresses.ts';
import { lastPageStart, type MethodCount, referenceMatches } from '../../reference/pages.ts';
import type { RefTx } from '../../reference/txs.ts';
import { expectTxs, type TxPage } from './expected.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Pages of txs beside the list that they are cut from. */

export interface Filter {
  /** In any form. */
  readonly account?: string;
  readonly method?: string;
}

/** A page and the part [start, end) of its list, newest first, that it must hold. */
export interface Place {
  readonly page: TxPage;
  readonly start: number;
  readonly end: number;
  /** The page size that the page's last_cursor carries. */
  readonly size: number;
}

const matches = new Map<string, readonly RefTx[]>();

/** What the filter keeps of the recorded chain up to a height, newest first. */
export function matchesOf(filter: Filter, toHeight = Number.POSITIVE_INFINITY): readonly RefTx[] {
  const { account, method } = filter;
  const key = JSON.stringify([account, method]);
  let all = matches.get(key);
  if (all === undefined) {
    all = referenceMatches({
      ...(account === undefined ? {} : { account: accountOf(account.toLowerCase()) }),
      ...(method === undefined ? {} : { method }),
    });
    matches.set(key, all);
  }
  return all.filter((tx) => tx.height <= toHeight);
}

/** The facet over these txs: most frequent first, then by name. */
export function facetOf(txs: readonly RefTx[]): readonly MethodCount[] {
  const counts = new Map<string, number>();
  for (const { method } of txs) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts]
    .map(([method, count]) => ({ method, count }))
    .sort((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1));
}

export function targetOf(
  { account, method }: Filter,
  query: Readonly<Record<string, string | number>>,
): string {
  const path = account === undefined ? '/v1/txs' : `/v1/accounts/${account}/txs`;
  const parameters = new URLSearchParams(method === undefined ? {} : { method });
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return `${path}?${parameters}`;
}

/** Walks the pages of one filter, and holds each against the list as it is up to `toHeight`. */
export class Walk {
  readonly filter: Filter;
  readonly #api: RecordedApi;
  readonly #list: readonly RefTx[];
  readonly #facet: readonly MethodCount[];

  constructor(api: RecordedApi, filter: Filter, toHeight?: number) {
    this.filter = filter;
    this.#api = api;
    this.#list = matchesOf(filter, toHeight);
    const whole = filter.account === undefined ? {} : { account: filter.account };
    this.#facet = facetOf(matchesOf(whole, toHeight));
  }

  get total(): number {
    return this.#list.length;
  }

  first(size: number): Promise<Place> {
    return this.#take({ limit: size }, 0, size, size);
  }

  async next({ page, end }: Place, size: number): Promise<Place> {
    return this.#take({ limit: size, cursor: cursorOf(page.next_cursor) }, end, end + size, size);
  }

  async previous({ page, start }: Place, size: number): Promise<Place> {
    const query = { limit: size, cursor: cursorOf(page.prev_cursor) };
    return this.#take(query, Math.max(0, start - size), start, size);
  }

  /** `ignoredLimit` stands beside the cursor and must not count. */
  async last({ page, size }: Place, ignoredLimit?: number): Promise<Place> {
    const query = {
      cursor: cursorOf(page.last_cursor),
      ...(ignoredLimit === undefined ? {} : { limit: ignoredLimit }),
    };
    return this.#take(query, lastPageStart(this.total, size), this.total, size);
  }

  async #take(
    query: Readonly<Record<string, string | number>>,
    start: number,
    end: number,
    size: number,
  ): Promise<Place> {
    const target = targetOf(this.filter, query);
    const page = await this.#api.get<TxPage>(target);
    const stop = Math.min(end, this.total);
    expectTxs(page.txs, this.#list.slice(start, stop), target);
    const cursors = [page.next_cursor, page.prev_cursor, page.last_cursor].map((cursor) => cursor !== null);
    expect([page.total, ...cursors], target).toEqual([
      this.total,
      stop < this.total,
      start > 0,
      this.total > size,
    ]);
    expect(page.methods, target).toEqual(this.#facet);
    return { page, start, end: stop, size };
  }
}

/** All pages from the newest to the oldest. */
export async function walkDown(walk: Walk, size: number): Promise<Place[]> {
  const places = [await walk.first(size)];
  for (let place = places[0] as Place; place.page.next_cursor !== null; ) {
    place = await walk.next(place, size);
    places.push(place);
  }
  return places;
}

/** From the last of these pages back to the newest: the same pages. */
export async function walkBack(walk: Walk, places: readonly Place[], size: number): Promise<void> {
  let place = places.at(-1) as Place;
  for (const earlier of places.slice(0, -1).reverse()) {
    place = await walk.previous(place, size);
    expect([place.start, place.page.txs]).toEqual([earlier.start, earlier.page.txs]);
  }
  expect(place.page.prev_cursor).toBeNull();
}

export function cursorOf(cursor: string | null): string {
  if (cursor === null) throw new Error('no such page');
  return cursor;
}
