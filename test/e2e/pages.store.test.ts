import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceAccounts } from '../reference/accounts.ts';
import { lastPageStart, referenceMethods } from '../reference/pages.ts';
import { referenceTxs } from '../reference/txs.ts';
import { IS_FULL, inShort } from '../support/full.ts';
import { recordedWorld } from '../support/worlds.ts';
import { expectSame, expectTxs, hexFormOf, keyOf, refKeyOf, type TxPage } from './support/expected.ts';
import { forEachAtOnce, openRecordedApi, type RecordedApi } from './support/recorded-api.ts';
import {
  cursorOf,
  type Filter,
  facetOf,
  matchesOf,
  type Place,
  targetOf,
  Walk,
  walkBack,
  walkDown,
} from './support/walk.ts';

/** Pages of txs over the recorded chain, by every filter, in both directions, while blocks arrive and after. */

const LIMITS = [1, 2, 7, 50];
/** Blocks arrive in these steps; the first txs are at height 32. */
const STEPS = [60, 120, 210];
/** Then in commits of a few blocks up to here, past the height 256 that completes a range of sealed counts. */
const GROWN = 260;
/** Walks of more pages than this are left to the properties. */
const MOST_PAGES = 5;

const accounts = [...referenceAccounts().keys()];
const methods = referenceMethods().map(({ method }) => method);

let t: RecordedApi;
beforeAll(async () => {
  t = await openRecordedApi(STEPS[0] as number);
}, 120_000);
afterAll(async () => {
  expect(t.reported).toEqual([]);
  await t.close();
});

/** Accounts in both forms; busy ones more often, since their lists are long. */
const accountForms = fc.constantFrom(
  ...accounts
    .toSorted((a, b) => matchesOf({ account: b }).length - matchesOf({ account: a }).length)
    .flatMap((account, rank) => Array.from({ length: rank < 20 ? 5 : 1 }, () => account))
    .flatMap((account) => [account, hexFormOf(account) ?? account.toUpperCase()]),
);
const filters: fc.Arbitrary<Filter> = fc.record(
  { account: accountForms, method: fc.constantFrom(...methods.slice(0, 8), '/none.v1.Msg') },
  { requiredKeys: [] },
);
const limits = fc.oneof(fc.constantFrom(...LIMITS), fc.integer({ min: 1, max: 100 }));

/** That begin while commits are made. */
const MOST_CLIENTS = 20;

describe('while blocks arrive', () => {
  /** A client in the middle of a walk to older txs. */
  interface Client {
    readonly filter: Filter;
    readonly limit: number;
    /** Keys of what existed when the walk began, newest first. */
    readonly atStart: readonly string[];
    readonly seen: string[];
    cursor: string | null;
  }
  /** A page that a client keeps, to come back to what is newer than it, or to the oldest page. */
  interface Kept {
    readonly filter: Filter;
    readonly limit: number;
    readonly page: TxPage;
  }

  const clients: Client[] = [];
  const kept: Kept[] = [];

  async function begin(filter: Filter, limit: number): Promise<TxPage> {
    const page = await t.get<TxPage>(targetOf(filter, { limit }));
    // the list only grows at its new end: the total tells which part of it this page was cut from
    const list = matchesOf(filter);
    const atStart = list.slice(list.length - page.total).map(refKeyOf);
    clients.push({ filter, limit, atStart, seen: page.txs.map(keyOf), cursor: page.next_cursor });
    if (page.txs.length > 0) kept.push({ filter, limit, page });
    return page;
  }

  async function advance(client: Client, limit: number): Promise<void> {
    if (client.cursor === null) return;
    const page = await t.get<TxPage>(targetOf(client.filter, { limit, cursor: client.cursor }));
    expect(page.prev_cursor).not.toBeNull();
    expect(page.total).toBeGreaterThanOrEqual(client.atStart.length);
    client.seen.push(...page.txs.map(keyOf));
    client.cursor = page.next_cursor;
    kept.push({ filter: client.filter, limit, page });
  }

  /** The page just newer than a kept one is full as soon as there are enough newer txs, and so on to the newest. */
  async function walkToNewest({ filter, page: from }: Kept, limit: number, toHeight: number): Promise<void> {
    const list = matchesOf(filter, toHeight);
    let start = list.findIndex((tx) => refKeyOf(tx) === keyOf(from.txs[0] as TxPage['txs'][0]));
    expect(start).toBeGreaterThanOrEqual(0);
    for (let cursor = from.prev_cursor; cursor !== null; ) {
      const page = await t.get<TxPage>(targetOf(filter, { limit, cursor }));
      expectTxs(page.txs, list.slice(Math.max(0, start - limit), start), targetOf(filter, { limit, cursor }));
      expect(page.txs).not.toEqual([]);
      expect(page.total).toBe(list.length);
      start -= page.txs.length;
      cursor = page.prev_cursor;
    }
    if (from.prev_cursor !== null) expect(start).toBe(0);
  }

  async function finish(client: Client): Promise<void> {
    while (client.cursor !== null) await advance(client, 100);
    expect(client.seen).toEqual(client.atStart);
  }

  const sample = <T>(values: fc.Arbitrary<T>, count: number, seed: number) =>
    fc.sample(values, { numRuns: count, seed });

  test('walks begun at any height see what existed then exactly once, and prev_cursor reaches the new blocks', async () => {
    for (const [step, height] of STEPS.entries()) {
      if (step > 0) await t.indexTo(height);
      const begun = sample(fc.tuple(filters, fc.integer({ min: 1, max: 30 })), 12, step);
      await forEachAtOnce(begun, async ([filter, limit]) => {
        expect((await begin(filter, limit)).total).toBe(matchesOf(filter, height).length);
      });
      await forEachAtOnce(clients, async (client, n) => {
        for (let i = 0; i < n % 3; i++) await advance(client, client.limit);
      });
      await forEachAtOnce(
        kept.filter((_, n) => n % 6 === step),
        (page) => walkToNewest(page, 40, height),
      );
    }
    expect(clients.filter((client) => client.cursor !== null).length).toBeGreaterThan(5);
    await forEachAtOnce(clients, finish);
    expect(clients.filter((client) => client.seen.length > 100).length).toBeGreaterThan(1);
  }, 120_000);

  test('an oldest page is counted by the total of its own answer, not of the cursor’s', async () => {
    const list = (filter: Filter) => matchesOf(filter, STEPS.at(-1));
    const early = kept.filter(
      ({ filter, page }) => page.last_cursor !== null && page.total < list(filter).length,
    );
    expect(early.length).toBeGreaterThan(2);
    await forEachAtOnce(early, async ({ filter, limit, page }) => {
      const oldest = await t.get<TxPage>(targetOf(filter, { cursor: cursorOf(page.last_cursor) }));
      expectTxs(oldest.txs, list(filter).slice(lastPageStart(list(filter).length, limit)), 'oldest page');
      expect([oldest.next_cursor, oldest.total]).toEqual([null, list(filter).length]);
    });
  });

  test('walks in the very moment of the commits', async () => {
    clients.splice(0);
    const waiting: (() => void)[] = [];
    const letIn = () => new Promise<void>((resolve) => waiting.push(resolve));
    let indexing = true;
    const growth = t.indexTo(GROWN, { blocks: 5, letIn }).finally(() => {
      indexing = false;
    });
    growth.catch(() => undefined); // awaited below; a failure of the checks may come first
    const chain = referenceTxs().toReversed();
    const totalsSeen = new Set<number>();
    const begun = sample(fc.tuple(filters, fc.integer({ min: 5, max: 40 })), MOST_CLIENTS, 7);
    for (let n = 0; indexing; n++) {
      waiting.shift()?.();
      // answers that are kept need no turn of the event loop, and the commits do
      await turn();
      // each keeps the pages that it has seen: where commits are slow there would be no end of them
      if (n < MOST_CLIENTS) {
        const [filter, limit] = begun[n % begun.length] as [Filter, number];
        await begin(filter, limit);
        await advance(clients.at(-1) as Client, limit);
      }
      // no answer shows part of a block, nor a facet of another height than its total
      const page = await t.get<TxPage>(targetOf({}, { limit: 1 + (n % 3) }));
      const list = chain.slice(chain.length - page.total);
      expect(chain[chain.length - page.total - 1]?.height).not.toBe(list[0]?.height);
      expectTxs(page.txs, list.slice(0, page.txs.length), 'newest');
      expect(page.methods).toEqual(facetOf(list));
      totalsSeen.add(page.total);
    }
    await growth;
    // how many depends on how long a page takes beside a commit
    expect(totalsSeen.size).toBeGreaterThan(2);
    await forEachAtOnce(clients, finish);
  }, 300_000);
});

describe('on the whole chain', () => {
  beforeAll(async () => {
    expect(t.reported).toEqual([]);
    await t.close();
    t = await recordedWorld();
  }, 120_000);

  test('every account, in both forms: total, facet, and the pages at either end', async () => {
    expect(accounts.length).toBeGreaterThan(80);
    await forEachAtOnce(inShort(accounts, 6), async (account) => {
      const walk = new Walk(t, { account });
      const first = await walk.first(100);
      const places = [first];
      if (first.page.next_cursor !== null) places.push(await walk.next(first, 100));
      if (walk.total > 200) await walk.last(first);
      // the same pages, byte for byte, with cursors that open in either form
      const hex = hexFormOf(account);
      const forms = hex === null ? [account.toUpperCase()] : [hex, hex.toLowerCase(), account.toUpperCase()];
      let cursor: string | null = null;
      for (const [n, { page }] of places.entries()) {
        const form = forms[(n + accounts.indexOf(account)) % forms.length] as string;
        const query = { limit: 100, ...(cursor === null ? {} : { cursor }) };
        expectSame(await t.get(targetOf({ account: form }, query)), page, form);
        cursor = page.next_cursor;
      }
    });
  }, 120_000);

  test.each(inShort(LIMITS, 4))(
    'limit %i: every account and method there, back, and at its oldest page',
    async (limit) => {
      const lists: Filter[] = [
        {},
        ...methods.map((method) => ({ method })),
        ...accounts.map((account) => ({ account })),
        ...accounts.flatMap((account) => [
          { account, method: methods[accounts.indexOf(account) % 4] as string },
        ]),
      ];
      const short = lists.filter((filter) => {
        const pages = matchesOf(filter).length / limit;
        return pages > 1 && pages <= MOST_PAGES;
      });
      expect(short.length).toBeGreaterThan(5);
      const chosen = short.filter((_, n) => n % 3 === limit % 3);
      await forEachAtOnce(chosen, async (filter) => {
        const walk = new Walk(t, filter);
        const places = await walkDown(walk, limit);
        await walkBack(walk, places, limit);
        const oldest = await walk.last(places[0] as Place, 1 + (limit % 9));
        expect(oldest.page.txs).toEqual(places.at(-1)?.page.txs);
      });
    },
    120_000,
  );

  test('the chain, from the newest tx to the oldest and back, and its most frequent method', async () => {
    const walk = new Walk(t, {});
    const places = await walkDown(walk, 100);
    await walkBack(walk, places, 100);
    expect(places.length).toBe(Math.ceil(walk.total / 100));
    const frequent = new Walk(t, { method: methods[0] as string });
    expect(await walkDown(frequent, 100)).toHaveLength(Math.ceil(frequent.total / 100));
  }, 120_000);

  test('every method, and none that matches', async () => {
    for (const method of [...methods, '/none.v1.Msg']) {
      const place = await new Walk(t, { method }).first(50);
      expect(place.page.total).toBe(referenceMethods().find((one) => one.method === method)?.count ?? 0);
    }
  });

  test('the oldest page holds total mod limit txs, or a full page when limit divides the total', async () => {
    // 2,707 is a prime number, so a method with 1,500 txs gives the sizes that divide
    for (const [filter, limit, size] of [
      [{}, 100, 7],
      [{}, 50, 7],
      [{}, 1, 1],
      [{ method: methods[0] as string }, 100, 100],
      [{ method: methods[0] as string }, 75, 75],
      [{ method: methods[0] as string }, 99, 15],
    ] as const) {
      const walk = new Walk(t, filter);
      const oldest = await walk.last(await walk.first(limit), 100);
      expect(oldest.page.txs).toHaveLength(size);
    }
  });

  test('any steps with any limits lead where the list says', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('next', 'next', 'previous', 'last', 'first'), limits), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(filters, limits, steps, async (filter, limit, moves) => {
        const walk = new Walk(t, filter);
        let place = await walk.first(limit);
        for (const [move, size] of moves) {
          if (move === 'first') place = await walk.first(size);
          if (move === 'next' && place.page.next_cursor !== null) place = await walk.next(place, size);
          if (move === 'previous' && place.page.prev_cursor !== null)
            place = await walk.previous(place, size);
          if (move === 'last' && place.page.last_cursor !== null) place = await walk.last(place, size);
        }
      }),
      { numRuns: IS_FULL ? 25 : 8 },
    );
  }, 120_000);

  test('a limit changed in mid-walk loses nothing and repeats nothing', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.array(limits, { minLength: 1, maxLength: 5 }), async (filter, sizes) => {
        const walk = new Walk(t, filter);
        let place = await walk.first(sizes[0] as number);
        let seen = place.page.txs.length;
        for (let n = 1; place.page.next_cursor !== null && n < 12; n++) {
          place = await walk.next(place, sizes[n % sizes.length] as number);
          seen += place.page.txs.length;
        }
        expect(seen).toBe(place.end);
      }),
      { numRuns: IS_FULL ? 10 : 4 },
    );
  }, 120_000);
});
