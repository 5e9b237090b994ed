import { describe, expect, test } from 'vitest';
import { createAnswerCache, createCoalescer } from '../../src/api/cache.ts';
import { createReaderPool } from '../../src/api/readers.ts';
import { createResource, type Resource } from '../../src/api/resource.ts';
import type { Store } from '../../src/store/store.ts';

/** A session whose queries end when the test says so. */
function heldStore() {
  const running: {
    sql: string;
    seconds: number | undefined;
    end: (rows: Uint8Array) => void;
    fail: () => void;
  }[] = [];
  const none = () => Promise.resolve();
  const store: Store = {
    name: 'held',
    query: (sql, options) =>
      new Promise((resolve, reject) => {
        running.push({
          sql,
          seconds: options?.timeoutSeconds,
          end: resolve,
          fail: () => reject(new Error('broken')),
        });
      }),
    command: none,
    insertNativeFiles: none,
    close: none,
  };
  return { store, running };
}

const rows = new Uint8Array(1);
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reader pool', () => {
  test('a session runs one query at a time; the next takes its place, also after a failure', async () => {
    const a = heldStore();
    const b = heldStore();
    const pool = createReaderPool([a.store, b.store], () => 0, 10);
    const answers = ['1', '2', '3', '4'].map((sql) => pool.query(sql, 10_000));
    const failed = expect(answers[0]).rejects.toThrow('broken');
    expect([a.running.length, b.running.length]).toEqual([1, 1]);
    const all = () => [...a.running, ...b.running].map((query) => query.sql).sort();
    for (const query of [...a.running, ...b.running]) {
      if (query.sql === '1') query.fail();
    }
    await failed;
    await settle();
    expect(all()).toEqual(['1', '2', '3']);
    for (const query of [...a.running, ...b.running]) query.end(rows);
    await settle();
    for (const query of [...a.running, ...b.running]) query.end(rows);
    expect(await Promise.all(answers.slice(1))).toEqual([rows, rows, rows]);
    expect(all()).toEqual(['1', '2', '3', '4']);
  });

  test('what remains of the deadline is the engine’s limit; a query whose deadline passed while waiting is not run', async () => {
    let nowMs = 1000;
    const { store, running } = heldStore();
    const pool = createReaderPool([store], () => nowMs, 10);
    const first = pool.query('first', 11_000);
    const second = pool.query('second', 11_000);
    const third = pool.query('third', 20_000);
    expect(running[0]?.seconds).toBe(10);
    nowMs = 11_001;
    running[0]?.end(rows);
    await first;
    await expect(second).rejects.toMatchObject({ code: 'internal', message: 'deadline exceeded' });
    await settle();
    expect(running.map((query) => query.sql)).toEqual(['first', 'third']);
    expect(running[1]?.seconds).toBe(9);
    running[1]?.end(rows);
    await third;
  });

  test('more waiting queries than the bound are refused', async () => {
    const { store } = heldStore();
    const pool = createReaderPool([store], () => 0, 1);
    void pool.query('runs', 1000);
    void pool.query('waits', 1000);
    await expect(pool.query('too many', 1000)).rejects.toMatchObject({
      code: 'internal',
      message: 'overloaded',
    });
  });
});

describe('answer cache', () => {
  const resource = (bytes: number) => createResource(new Uint8Array(bytes), 'text/plain', 'moving');

  test('an answer of the head counts at its own height, a settled one at every height', () => {
    const cache = createAnswerCache(1_000_000);
    const answer = resource(1);
    cache.set('head', '7', answer, false);
    cache.set('settled', '7', answer, true);
    expect(cache.get('head', '7')).toBe(answer);
    expect(cache.get('head', '8')).toBeUndefined();
    expect(cache.get('settled', '8')).toBe(answer);
    expect(cache.get('other', '7')).toBeUndefined();
  });

  test('is bounded in bytes, and one large answer does not push out the others', () => {
    const cache = createAnswerCache(100_000);
    cache.set('small', '1', resource(1), true);
    cache.set('large', '1', resource(50_000), true);
    expect(cache.get('large', '1')).toBeUndefined();
    expect(cache.get('small', '1')).toBeDefined();
    for (let i = 0; i < 100; i++) cache.set(`${i}`, '1', resource(5_000), true);
    expect(cache.get('small', '1')).toBeUndefined();
    expect(cache.get('99', '1')).toBeDefined();
  });

  test('compressed forms count', () => {
    const cache = createAnswerCache(100_000);
    const answers = Array.from({ length: 9 }, () => resource(10_000));
    for (const [i, answer] of answers.entries()) cache.set(`${i}`, '1', answer, true);
    const last = answers[8] as Resource;
    last.coded.gzip = { ...last.plain, body: new Uint8Array(2_000) };
    cache.grew('gone', last);
    cache.grew('8', resource(12_000));
    expect(cache.get('8', '1')).toBe(last);
    for (const coding of ['gzip', 'br'] as const) {
      last.coded[coding] = { ...last.plain, body: new Uint8Array(900) };
    }
    cache.grew('8', last);
    // together 96,318 bytes: nothing had to go
    expect(cache.get('0', '1')).toBe(answers[0]);
    cache.set('one more', '1', resource(4_000), true);
    expect(cache.get('1', '1')).toBeUndefined();
    expect(cache.get('8', '1')).toBe(last);
  });
});

test('equal work in flight is done once, and again after it ended', async () => {
  const coalesce = createCoalescer<number>();
  let runs = 0;
  const work = async () => {
    await settle();
    return ++runs;
  };
  expect(await Promise.all([coalesce('a', work), coalesce('a', work), coalesce('b', work)])).toEqual([
    1, 1, 2,
  ]);
  expect(await coalesce('a', work)).toBe(3);
});
