import { StrataError } from 'strata-kit/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBatcher } from '../../src/api/batch.ts';
import { deferred } from '../../src/core/deferred.ts';

/** Look-ups that share queries: what goes together, and what stays each request's own. */

interface Asked {
  readonly keys: readonly number[];
  readonly endMs: number;
  answer(): void;
  fail(error: unknown): void;
}

let asked: Asked[];
let nowMs: number;
beforeEach(() => {
  asked = [];
  nowMs = 0;
});

const LIMITS = { maxKeys: 4, maxWaiting: 10 };

function open(limits: Partial<Parameters<typeof createBatcher<number, string>>[0]> = {}) {
  return createBatcher<number, string>({
    ...LIMITS,
    identity: String,
    nowMs: () => nowMs,
    ask: (keys, endMs) => {
      const { promise, resolve, reject } = deferred<readonly string[]>();
      asked.push({
        keys,
        endMs,
        answer: () => resolve(keys.map((key) => `value ${key}`)),
        fail: reject,
      });
      return promise;
    },
    ...limits,
  });
}

/** A query that is answered starts the next one at the end of the next turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const keysOf = (): (readonly number[])[] => asked.map(({ keys }) => keys);

const refused = new StrataError('store_query_failed', 'a part cannot be read');

/** Answers every query as it comes; those that hold a poisoned key fail. */
async function answerAll(poisoned: readonly number[] = [], error: unknown = refused): Promise<void> {
  await settled();
  for (let next = 0; next < asked.length; next++) {
    const query = asked[next] as Asked;
    if (query.keys.some((key) => poisoned.includes(key))) query.fail(error);
    else query.answer();
    await settled();
  }
}

describe('look-ups that arrive together', () => {
  it('start in the turn in which they come when idle, and go together when a query is running', async () => {
    const { load } = open();
    const first = load(1, 100);
    await settled();
    expect(keysOf()).toEqual([[1]]);
    const loads = [first, ...[2, 3, 4, 5, 6].map((key) => load(key, 100))];
    await settled();
    expect(keysOf()).toEqual([[1]]);
    asked[0]?.answer();
    await settled();
    expect(keysOf()).toEqual([[1], [2, 3, 4, 5]]);
    const late = load(7, 100);
    await answerAll();
    expect(keysOf()).toEqual([[1], [2, 3, 4, 5], [6, 7]]);
    expect(await Promise.all([...loads, late])).toEqual([1, 2, 3, 4, 5, 6, 7].map((key) => `value ${key}`));
    void load(8, 100);
    await settled();
    expect(keysOf().at(-1)).toEqual([8]);
  });

  it('ask once for what is equal', async () => {
    const { load } = open();
    const loads = [1, 2, 2, 3, 2].map((key) => load(key, 100));
    await answerAll();
    expect(keysOf()).toEqual([[1, 2, 3]]);
    expect(await Promise.all(loads)).toEqual(['value 1', 'value 2', 'value 2', 'value 3', 'value 2']);
  });

  it('are cut by weight, and a heavy one goes alone', async () => {
    const { load } = open({ maxWeight: 10, weightOf: (key) => key });
    for (const key of [1, 4, 5, 2, 50, 3]) void load(key, 100);
    await answerAll();
    expect(keysOf()).toEqual([[1, 4, 5], [2], [50], [3]]);
  });

  it('run side by side when there are enough of them, in equal shares', async () => {
    const { load } = open({ maxInFlight: 2, keysBeside: 2 });
    const loadAll = async (...keys: readonly number[]) => {
      for (const key of keys) void load(key, 100);
      await settled();
    };
    await loadAll(1, 2, 3);
    expect(keysOf()).toEqual([[1, 2, 3]]);
    await loadAll(4);
    expect(keysOf()).toEqual([[1, 2, 3]]);
    await loadAll(5);
    expect(keysOf().slice(1)).toEqual([[4, 5]]);
    await loadAll(6, 7, 8, 9, 10, 11);
    expect(keysOf()).toHaveLength(2);
    asked[1]?.answer();
    await settled();
    expect(keysOf().slice(2)).toEqual([[6, 7, 8, 9]]);
    asked[0]?.answer();
    await settled();
    expect(keysOf().slice(3)).toEqual([[10, 11]]);
    asked[2]?.answer();
    asked[3]?.answer();
    await settled();
    await loadAll(12, 13, 14, 15, 16);
    expect(keysOf().slice(4)).toEqual([
      [12, 13, 14],
      [15, 16],
    ]);
  });

  it('are refused when too many wait, equal ones too', async () => {
    const { load } = open();
    const waiting = Array.from({ length: 10 }, () => load(1, 100));
    await expect(load(1, 100)).rejects.toMatchObject({ code: 'internal', message: 'overloaded' });
    await answerAll();
    expect(await Promise.all(waiting)).toHaveLength(10);
    await expect(Promise.race([load(1, 100), settled()])).resolves.toBeUndefined();
  });
});

describe('each look-up', () => {
  it('has its own deadline while it waits, and the query the latest of them', async () => {
    const { load } = open();
    void load(1, 100);
    await settled();
    const early = load(2, 50);
    const both = [load(3, 50), load(3, 100)];
    const last = load(4, 90);
    for (const promise of [early, ...both]) promise.catch(() => undefined);
    nowMs = 60;
    await answerAll();
    expect(asked.map(({ keys, endMs }) => [keys, endMs])).toEqual([
      [[1], 100],
      [[3, 4], 100],
    ]);
    await expect(early).rejects.toMatchObject({ message: 'deadline exceeded' });
    await expect(both[0]).rejects.toMatchObject({ message: 'deadline exceeded' });
    expect(await Promise.all([both[1], last])).toEqual(['value 3', 'value 4']);
  });

  it('that is late alone leaves no query behind, and the next start at once', async () => {
    const { load } = open();
    void load(1, 100);
    await settled();
    const late = load(2, 10);
    late.catch(() => undefined);
    nowMs = 20;
    await answerAll();
    expect(keysOf()).toEqual([[1]]);
    await expect(late).rejects.toMatchObject({ message: 'deadline exceeded' });
    void load(3, 100);
    await settled();
    expect(keysOf()).toEqual([[1], [3]]);
  });

  it('has its own error: a poisoned one fails no other', async () => {
    const { load } = open();
    const first = load(9, 100);
    await settled();
    const loads = [1, 2, 3, 4].map((key) => load(key, 100));
    const outcomes = Promise.allSettled([first, ...loads]);
    await answerAll([3]);
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(keysOf()).toEqual([[9], [1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  });

  it.each([
    ['the store does not answer', new StrataError('store_unreachable', 'gone'), 0],
    ['the deadline has passed', refused, 100],
  ])('is not asked for again when %s', async (_case, error, timeMs) => {
    const { load } = open();
    void load(9, 100);
    await settled();
    const outcomes = Promise.allSettled([1, 2].map((key) => load(key, 100)));
    asked[0]?.answer();
    await settled();
    nowMs = timeMs;
    asked[1]?.fail(error);
    expect((await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      error,
      error,
    ]);
    expect(keysOf()).toEqual([[9], [1, 2]]);
    void load(3, 1_000);
    await settled();
    expect(keysOf().at(-1)).toEqual([3]);
  });

  it('fails when the answer lacks a key', async () => {
    const { load } = open({ ask: async () => [] });
    await expect(load(1, 100)).rejects.toMatchObject({ code: 'internal', message: 'a look-up lost keys' });
  });
});
