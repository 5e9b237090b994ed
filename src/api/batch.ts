import { isStrataError, StrataError } from 'strata-kit/errors';
import { DEADLINE_PASSED, OVERLOADED } from './readers.ts';

/**
 * Look-ups by key that arrive together go to the store as one query: a query costs milliseconds before it reads its
 * first row. Nothing waits for company: what arrives in one turn of the event loop is asked for at its end when there
 * is room, and what comes while queries run is asked for together when one of them ends.
 */
export interface Batcher<K, V> {
  /**
   * `endMs` (of `nowMs`'s clock) is this look-up's own deadline; keys that wait and are equal are asked for once.
   * Errors: internal when too many wait or the deadline passed while waiting; those of `ask` for this key alone.
   */
  load(key: K, endMs: number): Promise<V>;
}

export interface BatcherOptions<K, V> {
  /** Asks for all of the keys, which differ, and answers in their order. `endMs` is the latest of their deadlines. */
  readonly ask: (keys: readonly K[], endMs: number) => Promise<readonly V[]>;
  /** Equal for equal keys. */
  readonly identity: (key: K) => string;
  readonly nowMs: () => number;
  /** Keys in one query. */
  readonly maxKeys: number;
  /** Sum of `weightOf` in one query; a key that weighs more goes alone. */
  readonly maxWeight?: number;
  readonly weightOf?: (key: K) => number;
  /** Queries at once; 1 by default. */
  readonly maxInFlight?: number;
  /** So many keys are worth a query of their own beside one that runs; fewer wait until none does. */
  readonly keysBeside?: number;
  /** Look-ups that wait at most. */
  readonly maxWaiting: number;
}

interface Waiter<V> {
  readonly endMs: number;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
}

interface Entry<K, V> {
  readonly key: K;
  waiters: Waiter<V>[];
}

export function createBatcher<K, V>(options: BatcherOptions<K, V>): Batcher<K, V> {
  const { ask, identity, nowMs, weightOf = () => 1 } = options;
  const { maxKeys, maxWaiting, maxInFlight = 1, maxWeight = Number.POSITIVE_INFINITY } = options;
  const { keysBeside = 1 } = options;
  const waiting = new Map<string, Entry<K, V>>();
  let waitingCount = 0;
  let inFlight = 0;
  let isTurnEndAwaited = false;

  /** The longest waiting ones that fit into one query, without those whose deadline has passed. */
  const take = (limit: number): Entry<K, V>[] => {
    const taken: Entry<K, V>[] = [];
    let weight = 0;
    for (const [id, entry] of waiting) {
      const entryWeight = weightOf(entry.key);
      if (taken.length === limit || (taken.length > 0 && weight + entryWeight > maxWeight)) break;
      waiting.delete(id);
      waitingCount -= entry.waiters.length;
      dropLate(entry, nowMs());
      if (entry.waiters.length === 0) continue;
      taken.push(entry);
      weight += entryWeight;
    }
    return taken;
  };

  const start = async (batch: readonly Entry<K, V>[]): Promise<void> => {
    inFlight++;
    await settle(batch);
    inFlight--;
    startSoon();
  };

  const hasRoom = (): boolean =>
    waiting.size > 0 && (inFlight === 0 || (inFlight < maxInFlight && waiting.size >= keysBeside));

  /** Queries that may run side by side share evenly what waits. */
  const startAll = (): void => {
    while (hasRoom()) {
      const isWorthSharing = waiting.size >= 2 * keysBeside;
      const share = isWorthSharing ? Math.ceil(waiting.size / (maxInFlight - inFlight)) : waiting.size;
      const batch = take(Math.min(maxKeys, share));
      if (batch.length > 0) void start(batch);
    }
  };

  /** Without it the first of those that an answered query sets free would go alone, and with it half of all queries. */
  const startSoon = (): void => {
    if (isTurnEndAwaited || !hasRoom()) return;
    isTurnEndAwaited = true;
    setImmediate(() => {
      isTurnEndAwaited = false;
      startAll();
    });
  };

  /** Never rejects. When the store refuses a query of several keys, each half is asked for by itself, and so on. */
  const settle = async (batch: readonly Entry<K, V>[]): Promise<void> => {
    const endMs = Math.max(...batch.flatMap(({ waiters }) => waiters.map((waiter) => waiter.endMs)));
    try {
      const values = await ask(
        batch.map(({ key }) => key),
        endMs,
      );
      if (values.length !== batch.length) throw new StrataError('internal', 'a look-up lost keys');
      for (const [i, entry] of batch.entries()) {
        for (const { resolve } of entry.waiters) resolve(values[i] as V);
      }
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error) || nowMs() >= endMs) {
        for (const { waiters } of batch) for (const { reject } of waiters) reject(error);
        return;
      }
      const middle = batch.length >> 1;
      await settle(batch.slice(0, middle));
      await settle(batch.slice(middle));
    }
  };

  return {
    load: (key, endMs) => {
      if (waitingCount >= maxWaiting) return Promise.reject(new StrataError('internal', OVERLOADED));
      return new Promise((resolve, reject) => {
        const id = identity(key);
        const entry = waiting.get(id) ?? { key, waiters: [] };
        entry.waiters.push({ endMs, resolve, reject });
        waiting.set(id, entry);
        waitingCount++;
        startSoon();
      });
    },
  };
}

function dropLate<V>(entry: { waiters: Waiter<V>[] }, nowMs: number): void {
  const late = entry.waiters.filter(({ endMs }) => endMs <= nowMs);
  if (late.length === 0) return;
  entry.waiters = entry.waiters.filter(({ endMs }) => endMs > nowMs);
  for (const { reject } of late) reject(new StrataError('internal', DEADLINE_PASSED));
}

/** An error that may be of one key alone, such as a part of the table that cannot be read. */
function isRefusal(error: unknown): boolean {
  return isStrataError(error) && error.code === 'store_query_failed';
}
