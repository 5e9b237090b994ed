import type { RowBinary } from '../store/store.ts';
import { createBatcher } from './batch.ts';
import type { ReadMany, Snapshot } from './route.ts';
import { groupRows } from './rows.ts';
import { stateKey } from './state.ts';

/** What belongs to one key as of a snapshot, read together with the keys of other requests. `endMs`: see Batcher.load. */
export type GatheredRead = <V>(
  read: ReadMany<V>,
  key: string,
  snapshot: Snapshot,
  endMs: number,
) => Promise<V | undefined>;

export interface GatheredReadOptions {
  readonly query: (sql: string, endMs: number) => Promise<RowBinary>;
  readonly nowMs: () => number;
  /** Keys of one function that wait at most. */
  readonly maxWaiting: number;
}

interface Key {
  readonly snapshot: Snapshot;
  readonly key: string;
}

/** One request may name 100 assets. */
const MAX_KEYS = 100;
const MAX_IN_FLIGHT = 2;
/** As in lookups.ts: fewer keys cost less in one query than in two. */
const KEYS_BESIDE = 24;

/** One batcher for each function that reads: a query serves all requests that ask the same at the same time. */
export function createGatheredReads({ query, nowMs, maxWaiting }: GatheredReadOptions): GatheredRead {
  const batcherOf = <V>(read: ReadMany<V>) =>
    createBatcher<Key, V | undefined>({
      nowMs,
      maxWaiting,
      maxKeys: MAX_KEYS,
      maxInFlight: MAX_IN_FLIGHT,
      keysBeside: KEYS_BESIDE,
      identity: ({ snapshot, key }) => `${stateKey(snapshot)} ${key}`,
      ask: (keys, endMs) => readAllKeys(read, keys, (sql) => query(sql, endMs)),
    });
  const batchers = new WeakMap<ReadMany<unknown>, ReturnType<typeof batcherOf<unknown>>>();
  return async <V>(read: ReadMany<V>, key: string, snapshot: Snapshot, endMs: number) => {
    const batcher = batchers.get(read) ?? batcherOf<unknown>(read);
    batchers.set(read, batcher);
    return (await batcher.load({ snapshot, key }, endMs)) as V | undefined;
  };
}

/** One reading for each snapshot: keys that wait together are rarely of two. */
async function readAllKeys<V>(
  read: ReadMany<V>,
  keys: readonly Key[],
  query: (sql: string) => Promise<RowBinary>,
): Promise<readonly (V | undefined)[]> {
  const found = new Map<Key, V | undefined>();
  for (const group of groupRows(keys, ({ snapshot }) => stateKey(snapshot)).values()) {
    const [{ snapshot }] = group as [Key];
    const values = await read(
      { snapshot, query },
      group.map(({ key }) => key),
    );
    for (const each of group) found.set(each, values.get(each.key));
  }
  return keys.map((key) => found.get(key));
}
