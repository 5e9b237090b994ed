import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS, ACCOUNTS_HEX, FIRST_HEIGHT, METHODS, type ModelTx } from './support/model-chain.ts';
import { ask, openTestApi, type TestApi } from './support/test-api.ts';

interface TxPage {
  readonly txs: readonly { readonly height: number; readonly tx_index: number }[];
  readonly total: number;
  readonly next_cursor: string | null;
  readonly prev_cursor: string | null;
  readonly last_cursor: string | null;
  readonly methods: readonly { readonly method: string; readonly count: number }[];
}

interface Filter {
  readonly account?: string;
  readonly method?: string;
}

let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(20261120);
  t.chain.grow(60);
  await t.commit();
});
afterAll(() => t.close());

const limits = fc.integer({ min: 1, max: 100 });
const smallLimits = fc.integer({ min: 1, max: 9 });
const filters: fc.Arbitrary<Filter> = fc.record(
  {
    account: fc.constantFrom(...ACCOUNTS, ...ACCOUNTS_HEX),
    method: fc.constantFrom(...METHODS.slice(1), '/t.unknown.v1.Msg'),
  },
  { requiredKeys: [] },
);

async function page(filter: Filter, query: Record<string, string | number>): Promise<TxPage> {
  const path = filter.account === undefined ? '/v1/txs' : `/v1/accounts/${filter.account}/txs`;
  const parameters = new URLSearchParams(filter.method === undefined ? {} : { method: filter.method });
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const answer = await ask<TxPage>(t.api, `${path}?${parameters}`);
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return answer.json;
}

/** Newest first, as the model has them. */
function matches(filter: Filter): ModelTx[] {
  const account = ACCOUNTS[ACCOUNTS_HEX.indexOf(filter.account ?? '')] ?? filter.account;
  return t.chain.txs.filter(
    (tx) =>
      (account === undefined || tx.accounts.includes(account)) &&
      (filter.method === undefined || tx.method === filter.method),
  );
}

/** Small pages for short lists: a walk has at most about MOST_PAGES, whose edges are all alike. */
const MOST_PAGES = 8;
const limitFor = (size: number, list: readonly ModelTx[]): number =>
  Math.min(100, Math.max(size, Math.ceil(list.length / MOST_PAGES)));

const modelKeys = (txs: readonly ModelTx[]): string[] => txs.map((tx) => `${tx.height}/${tx.txIndex}`);
const pageKeys = (txs: TxPage['txs']): string[] => txs.map((tx) => `${tx.height}/${tx.tx_index}`);

describe('pages of txs', () => {
  test('next_cursor walks every match once, newest first, with the model’s totals and facets', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.array(limits, { minLength: 1, maxLength: 4 }), async (filter, sizes) => {
        const expected = matches(filter);
        const seen: string[] = [];
        let cursor: string | null = null;
        for (let n = 0; n === 0 || cursor !== null; n++) {
          const limit = limitFor(sizes[n % sizes.length] as number, expected);
          const answer: TxPage = await page(filter, { limit, ...(cursor === null ? {} : { cursor }) });
          expect(answer.total).toBe(expected.length);
          expect(answer.methods).toEqual(
            facet(filter.account === undefined ? {} : { account: filter.account }),
          );
          expect(answer.txs.length).toBe(Math.min(limit, expected.length - seen.length));
          expect(answer.prev_cursor === null).toBe(n === 0);
          expect(answer.last_cursor === null).toBe(expected.length <= limit);
          seen.push(...pageKeys(answer.txs));
          cursor = answer.next_cursor;
        }
        expect(seen).toEqual(modelKeys(expected));
      }),
      { numRuns: 25 },
    );
  });

  test('last_cursor leads to the oldest page, and prev_cursor from there walks every match once', async () => {
    await fc.assert(
      fc.asyncProperty(filters, smallLimits, async (filter, size) => {
        const expected = matches(filter);
        const limit = limitFor(size, expected);
        const first = await page(filter, { limit });
        if (first.last_cursor === null) {
          expect(expected.length).toBeLessThanOrEqual(limit);
          return;
        }
        // the cursor carries its page size: a limit beside it is ignored
        let answer = await page(filter, { limit: 100, cursor: first.last_cursor });
        expect(answer.next_cursor).toBeNull();
        expect(answer.txs.length).toBe(expected.length % limit || limit);
        const seen = pageKeys(answer.txs);
        while (answer.prev_cursor !== null) {
          answer = await page(filter, { limit, cursor: answer.prev_cursor });
          expect(answer.txs.length).toBe(limit);
          expect(answer.next_cursor).not.toBeNull();
          seen.unshift(...pageKeys(answer.txs));
        }
        expect(seen).toEqual(modelKeys(expected));
      }),
      { numRuns: 20 },
    );
  });

  test('next then prev comes back to the same page', async () => {
    await fc.assert(
      fc.asyncProperty(filters, smallLimits, async (filter, limit) => {
        const first = await page(filter, { limit });
        if (first.next_cursor === null) return;
        const second = await page(filter, { limit, cursor: first.next_cursor });
        const back = await page(filter, { limit, cursor: second.prev_cursor as string });
        expect(back.txs).toEqual(first.txs);
        expect(back.prev_cursor).toBeNull();
        expect((await page(filter, { limit, cursor: back.next_cursor as string })).txs).toEqual(second.txs);
      }),
      { numRuns: 20 },
    );
  });

  test('a cursor stays valid while blocks arrive: what was there at the start comes exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(filters, smallLimits, fc.nat(3), async (filter, size, growth) => {
        const atStart = matches(filter);
        const limit = limitFor(size, atStart);
        let answer = await page(filter, { limit });
        const seen = pageKeys(answer.txs);
        for (let n = 0; answer.next_cursor !== null; n++) {
          if (n < 3 && growth > 0) {
            t.chain.grow(growth);
            await t.commit();
          }
          answer = await page(filter, { limit, cursor: answer.next_cursor });
          expect(answer.total).toBe(matches(filter).length);
          seen.push(...pageKeys(answer.txs));
        }
        expect(seen).toEqual(modelKeys(atStart));
      }),
      { numRuns: 10 },
    );
  });

  test('last_cursor counts by the total of its own answer, and prev from there reaches the blocks since', async () => {
    await fc.assert(
      fc.asyncProperty(filters, smallLimits, async (filter, size) => {
        const limit = limitFor(size, matches(filter));
        const { last_cursor: cursor } = await page(filter, { limit });
        if (cursor === null) return;
        t.chain.grow(2);
        await t.commit();
        let answer = await page(filter, { cursor });
        expect(answer.txs.length).toBe(answer.total % limit || limit);
        const seen = pageKeys(answer.txs);
        while (answer.prev_cursor !== null) {
          answer = await page(filter, { limit, cursor: answer.prev_cursor });
          seen.unshift(...pageKeys(answer.txs));
        }
        expect(seen).toEqual(modelKeys(matches(filter)));
      }),
      { numRuns: 8 },
    );
  });

  test('the newest page gets a prev_cursor-page only when a newer match has come', async () => {
    const first = await page({}, { limit: 3 });
    expect(first.prev_cursor).toBeNull();
    const second = await page({}, { limit: 3, cursor: first.next_cursor as string });
    t.chain.grow(4);
    await t.commit();
    const newer = await page({}, { limit: 3, cursor: second.prev_cursor as string });
    expect(newer.txs).toEqual(first.txs);
    expect(newer.prev_cursor).not.toBeNull();
  });

  test('both address forms give the same page, and their cursors are the same', async () => {
    for (const [index, bech32] of ACCOUNTS.entries()) {
      const hex = ACCOUNTS_HEX[index] as string;
      const answers = await Promise.all(
        [bech32, bech32.toUpperCase(), hex, hex.toLowerCase()].map((account) =>
          page({ account }, { limit: 4 }),
        ),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
  });

  test('rows above the checkpoint, as a commit in progress leaves them, are not seen', async () => {
    const before = await page({}, { limit: 5 });
    t.chain.grow(2);
    await t.chain.insert(t.writer, t.factory.spoolFolder, t.chain.blocks.slice(-2));
    t.state.notify('changed');
    // another request than before, so that no kept answer is read
    const after = await page({}, { limit: 6 });
    expect(after.total).toBe(before.total);
    expect(after.txs.slice(0, 5)).toEqual(before.txs);
    for (const table of [
      'blocks',
      'txs',
      'tx_hashes',
      'account_txs',
      'account_mentions',
      'txs_by_method',
      'txs_per_method',
      'txs_per_day',
    ]) {
      await t.writer.command(
        `DELETE FROM ${table} WHERE height > ${t.state.current().indexedHeight} SETTINGS lightweight_deletes_sync = 2`,
      );
    }
    await t.commit();
    expect((await page({}, { limit: 5 })).total).toBe(matches({}).length);
  });
});

describe('pages of blocks', () => {
  test('next_cursor walks every block once, newest first, while blocks arrive', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.boolean(), async (limit, grows) => {
        const newest = t.chain.head.height;
        const seen: number[] = [];
        let cursor: string | null = '';
        for (let n = 0; cursor !== null; n++) {
          const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const answer = await ask<{ blocks: { height: number }[]; next_cursor: string | null }>(
            t.api,
            `/v1/blocks?limit=${limit}${query}`,
          );
          seen.push(...answer.json.blocks.map((block) => block.height));
          cursor = answer.json.next_cursor;
          if (grows && n === 0) {
            t.chain.grow(1);
            await t.commit();
          }
        }
        expect(seen).toEqual(Array.from({ length: newest - FIRST_HEIGHT + 1 }, (_, i) => newest - i));
      }),
      { numRuns: 15 },
    );
  });
});

function facet(filter: Filter): { method: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tx of matches(filter)) counts.set(tx.method, (counts.get(tx.method) ?? 0) + 1);
  counts.delete('');
  return [...counts]
    .map(([method, count]) => ({ method, count }))
    .sort((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1));
}
