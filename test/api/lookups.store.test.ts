import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLookups, type Lookups, TOO_MANY } from '../../src/api/lookups.ts';
import type { RouteContext } from '../../src/api/route.ts';
import { findTx, findTxCandidate } from '../../src/api/tx-lookup.ts';
import type { RowBinary } from '../../src/store/store.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

/** Look-ups over real tables: what shares a query, and which of several txs with one hash is found. */

const END_MS = 1_000;

let t: TestStore;
let lookups: Lookups;
let asked: { readonly sql: string; readonly byteLength: number }[];

beforeAll(async () => {
  t = await openTestStore();
  // 100 blocks of 3 txs; the hash of a tx is its key
  await t.store.command(
    `INSERT INTO txs (height, tx_index, hash, method, evm) SELECT number, i, toFixedString(concat(toString(number), '/', toString(i)), 32),
'm', [concat('{"eth_hash":"0x', repeat('a', 64), '"}')] FROM numbers(1, 100) ARRAY JOIN [2, 0, 1] AS i`,
  );
  await t.store.command(
    'INSERT INTO blocks (height, tx_count, events) SELECT number, 3, toString(number) FROM numbers(1, 100)',
  );
  await t.store.command(
    'INSERT INTO tx_hashes (hash, height, tx_index, msg_index) SELECT hash, height, tx_index, -1 FROM txs',
  );
});
afterAll(() => t.close());
beforeEach(() => {
  asked = [];
  lookups = createLookups({ query, nowMs: () => 0, maxWaiting: 1_000 });
});

async function query(sql: string): Promise<RowBinary> {
  const rows = await t.store.query(sql);
  asked.push({ sql, byteLength: rows.length });
  return rows;
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex').padEnd(64, '0');
const contextAt = (indexedHeight: number): RouteContext =>
  ({ query, lookups, endMs: END_MS, snapshot: { indexedHeight } }) as unknown as RouteContext;
const find = async (hash: string, indexedHeight = 100, kind: 'consensus' | 'eth' = 'consensus') =>
  findTx(contextAt(indexedHeight), { kind, hex: hexOf(hash) });

test('many txs at once are found with few queries, and each finds its own', async () => {
  const keys = Array.from({ length: 100 }, (_, i) => `${i + 1}/${i % 3}`);
  const found = await Promise.all([...keys, 'none', '101/0'].map((key) => find(key)));
  expect(found.map((tx) => tx && `${tx.row.height}/${tx.row.txIndex}`)).toEqual([
    ...keys,
    undefined,
    undefined,
  ]);
  // two of 51 places; their rows as they are found
  expect(asked.filter(({ sql }) => sql.includes('tx_hashes'))).toHaveLength(2);
  expect(asked.length).toBeLessThan(6);
});

test('many blocks at once, with their txs in order, and none for a block without', async () => {
  const heights = Array.from({ length: 100 }, (_, i) => i + 1);
  const blocks = await Promise.all([...heights, 101].map((height) => lookups.block(height, END_MS)));
  expect(blocks.map((block) => block?.height)).toEqual([...heights, undefined]);
  expect(blocks.map((block) => block && Buffer.from(block.events).toString())).toEqual([
    ...heights.map(String),
    undefined,
  ]);
  const txs = await Promise.all(heights.map((height) => lookups.txsOf({ height, txCount: 3 }, END_MS)));
  for (const [i, rows] of txs.entries()) {
    expect(rows.map(({ height, txIndex }) => [height, txIndex])).toEqual([0, 1, 2].map((n) => [i + 1, n]));
  }
  // two of 51 and 50 blocks, and of so many blocks' txs
  expect(asked).toHaveLength(4);
  expect(await lookups.txsOf({ height: 5, txCount: 0 }, END_MS)).toEqual([]);
  expect(asked).toHaveLength(4);
});

test('of several txs with a hash the first that succeeded counts, else the latest', async () => {
  const rows = (hash: string, places: readonly (readonly [number, number, number, number])[]) =>
    t.store.command(
      `INSERT INTO tx_hashes (hash, height, tx_index, msg_index, code) VALUES ${places
        .map(([height, index, message, code]) => `('${hash}', ${height}, ${index}, ${message}, ${code})`)
        .join(', ')}`,
    );
  await rows('again', [
    [20, 1, -1, 11],
    [10, 0, -1, 11],
    [30, 2, -1, 0],
    [30, 0, -1, 0],
    [40, 0, -1, 0],
    [50, 0, -1, 11],
    [5, 0, 0, 0],
  ]);
  const placeAt = async (height: number, kind: 'consensus' | 'eth' = 'consensus') => {
    const found = await find('again', height, kind);
    return found && `${found.row.height}/${found.row.txIndex}`;
  };
  expect(await placeAt(9)).toBeUndefined();
  expect(await placeAt(10)).toBe('10/0');
  expect(await placeAt(29)).toBe('20/1');
  expect(await placeAt(30)).toBe('30/0');
  expect(await placeAt(100)).toBe('30/0');
  expect(await placeAt(100, 'eth')).toBe('5/0');
});

test('a hash that stands in every block is found by one row, and slows no other', async () => {
  await t.store.command(
    `INSERT INTO tx_hashes (hash, height, tx_index, msg_index, code)
SELECT toFixedString('same', 32), number, 0, -1, number < 90 ? 11 : 0 FROM numbers(1, 3000)`,
  );
  const context = contextAt(100);
  const hash = { kind: 'consensus', hex: hexOf('same') } as const;
  const others = Array.from({ length: 20 }, (_, i) => find(`${i + 1}/0`));
  const candidate = await findTxCandidate(context, hash);
  expect(candidate).toEqual({ id: hexOf('90/0').toUpperCase(), ethHash: `0x${'a'.repeat(64)}` });
  const best = asked.filter(({ sql }) => sql.includes('ORDER BY'));
  expect(best.map(({ byteLength }) => byteLength)).toEqual([8 + 4 + 4 + 4]);
  expect((await Promise.all(others)).map((tx) => tx?.row.height)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  // what any of them read is bounded
  for (const { byteLength } of asked) expect(byteLength).toBeLessThan(30_000);
  expect(await lookups.places(hash.hex, END_MS)).toBe(TOO_MANY);
});
