import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBech32, toChecksumAddress } from '../../src/core/address.ts';
import { referenceAccounts } from '../reference/accounts.ts';
import {
  lastPageStart,
  type RefFilter,
  referenceDays,
  referenceMethods,
  referencePage,
} from '../reference/pages.ts';
import { type RefTx, referenceBlocks, referenceTxs } from '../reference/txs.ts';
import { indexInto } from '../support/indexing.ts';
import { ask, openTestApi, type TestApi } from './support/test-api.ts';

/**
 * The recorded chain through the whole of Strata, its answers held against the reference that was written from the
 * node's own answers (and, by `ask`, against openapi.yaml).
 */

interface Page {
  readonly txs: readonly { readonly height: number; readonly tx_index: number }[];
  readonly total: number;
  readonly methods: unknown;
  readonly next_cursor: string | null;
  readonly prev_cursor: string | null;
  readonly last_cursor: string | null;
}

const HEAD = 501;
let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(0);
  await indexInto(t.factory);
  t.state.notify();
  while (t.state.current().indexedHeight !== HEAD) await new Promise((resolve) => setTimeout(resolve, 2));
}, 120_000);
afterAll(() => t.close());

async function get<T>(target: string): Promise<T> {
  const { status, json } = await ask<T>(t.api, target);
  expect(status, target).toBe(200);
  return json;
}

function expectedTx(tx: RefTx): unknown {
  return {
    hash: tx.hash,
    height: tx.height,
    tx_index: tx.txIndex,
    code: tx.code,
    codespace: tx.codespace,
    ...(tx.code === 0 ? {} : { raw_log: tx.rawLog }),
    gas_wanted: tx.gasWanted,
    gas_used: tx.gasUsed,
    msgs: expect.any(Array),
    fee: tx.fee,
    block_time: tx.blockTime,
    // an Ethereum tx that failed before its execution has no receipt to compare with
    evm: tx.code !== 0 && tx.evm === null ? expect.toSatisfy(() => true) : tx.evm,
    events: tx.events.map((event) => ({ ...event, applied: false })),
  };
}

const keysOf = (txs: Page['txs']) => txs.map((tx) => `${tx.height}/${tx.tx_index}`);
const refKeys = (txs: readonly RefTx[]) => txs.map((tx) => `${tx.height}/${tx.txIndex}`);

describe('the recorded chain', () => {
  test('every tx, by walking /v1/txs', async () => {
    const expected = referenceTxs().toReversed();
    let at = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await get(`/v1/txs?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      for (const tx of page.txs) {
        expect(tx).toEqual(expectedTx(expected[at++] as RefTx));
      }
      cursor = page.next_cursor;
    }
    expect(at).toBe(expected.length);
  });

  test('every block with its block-level events', async () => {
    for (const { events, ...block } of referenceBlocks()) {
      const answer = await get<{ block: unknown; txs: Page['txs']; events: unknown }>(
        `/v1/blocks/${block.height}`,
      );
      expect(answer.block).toEqual(block);
      expect(keysOf(answer.txs)).toEqual(refKeys(referenceTxs().filter((tx) => tx.height === block.height)));
      expect(answer.events).toEqual(events.map((event) => ({ ...event, applied: false })));
    }
  });

  test('every tx by its hashes; the hash that stands in two blocks answers the successful one', async () => {
    const byHash = new Map<string, RefTx>();
    for (const tx of referenceTxs()) if (byHash.get(tx.hash)?.code !== 0) byHash.set(tx.hash, tx);
    expect(byHash.size).toBeLessThan(referenceTxs().length);
    const sample = [...byHash.values()].filter(
      (tx, index) => index % 20 === 0 || tx.code !== 0 || tx.height === 63,
    );
    for (const tx of sample) {
      const place = { hash: tx.hash, height: tx.height, tx_index: tx.txIndex, code: tx.code };
      expect(await get(`/v1/txs/${tx.hash.toLowerCase()}`)).toMatchObject(place);
      if (tx.evm === null) continue;
      expect(await get(`/v1/txs/${tx.evm.eth_hash}`)).toMatchObject({ ...place, evm: tx.evm });
      const candidate = { type: 'tx', id: tx.hash, eth_hash: tx.evm.eth_hash };
      expect(await get(`/v1/lookup/${tx.hash}`)).toMatchObject({ candidates: [candidate] });
      expect(await get(`/v1/lookup/${tx.evm.eth_hash}`)).toMatchObject({ candidates: [candidate] });
    }
  });

  test('pages, totals and facets of every account and method, from both ends and in both address forms', async () => {
    const accounts = [...referenceAccounts().keys()];
    const filters: RefFilter[] = [
      {},
      ...referenceMethods().map(({ method }) => ({ method })),
      ...accounts.map((account) => ({ account })),
      ...accounts
        .slice(0, 5)
        .flatMap((account) => referenceMethods(account).map(({ method }) => ({ account, method }))),
    ];
    for (const [index, filter] of filters.entries()) {
      const limit = 1 + ((index * 7) % 30);
      const first = await getPage(filter, `limit=${limit}`);
      expectPage(first, filter, limit, 0);
      if (filter.account !== undefined) {
        const bytes = decodeBech32(filter.account)?.bytes ?? new Uint8Array(32);
        if (bytes.length === 20) {
          expect(await getPage({ ...filter, account: toChecksumAddress(bytes) }, `limit=${limit}`)).toEqual(
            first,
          );
        }
      }
      if (first.next_cursor !== null) {
        expectPage(await getPage(filter, `limit=${limit}&cursor=${first.next_cursor}`), filter, limit, limit);
      }
      if (first.last_cursor !== null) {
        const start = lastPageStart(first.total, limit);
        expectPage(await getPage(filter, `cursor=${first.last_cursor}`), filter, limit, start);
      }
    }
  });

  test('stats', async () => {
    const stats = await get<{
      tx_count: number;
      latest_txs: Page['txs'];
      tx_daily: readonly { count: number }[];
    }>('/v1/stats');
    expect(stats.tx_count).toBe(referenceTxs().length);
    expect(keysOf(stats.latest_txs)).toEqual(refKeys(referencePage({}, 6).txs));
    expect(stats.tx_daily).toEqual(expect.arrayContaining([...referenceDays()]));
    expect(stats.tx_daily.reduce((sum, { count }) => sum + count, 0)).toBe(referenceTxs().length);
  });
});

function getPage({ account, method }: RefFilter, query: string): Promise<Page> {
  const path = account === undefined ? '/v1/txs' : `/v1/accounts/${account}/txs`;
  return get(`${path}?${query}${method === undefined ? '' : `&method=${encodeURIComponent(method)}`}`);
}

function expectPage(page: Page, filter: RefFilter, limit: number, from: number): void {
  const reference = referencePage(filter, limit, from);
  expect(keysOf(page.txs), JSON.stringify(filter)).toEqual(refKeys(reference.txs));
  expect(page.total).toBe(reference.total);
  expect(page.methods).toEqual(reference.methods);
  expect(page.next_cursor !== null).toBe(reference.hasOlder);
  expect(page.prev_cursor !== null).toBe(reference.hasNewer);
  expect(page.last_cursor !== null).toBe(reference.total > limit);
}
