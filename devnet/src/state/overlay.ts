import type { Collection, Mark, Reader, State } from './state.ts';

/** Writes that lie over another state and leave it as it is: what the mempool's checks and simulations see. */
export interface Overlay extends State {
  /** Forgets every write. Marks taken before are void. */
  clear(): void;
}

/** What was written, undefined where it was deleted. */
type Writes = Map<string, unknown>;

export function createOverlay(below: Reader): Overlay {
  const written = new Map<string, Writes>();
  const journal: {
    readonly name: string;
    readonly key: string;
    readonly had: boolean;
    readonly before: unknown;
  }[] = [];

  function write(name: string, key: string, value: unknown): void {
    const writes: Writes = written.get(name) ?? new Map();
    written.set(name, writes);
    journal.push({ name, key, had: writes.has(key), before: writes.get(key) });
    writes.set(key, value);
  }

  return {
    get<V>(collection: Collection<V>, key: string): V | undefined {
      const writes = written.get(collection.name);
      return writes?.has(key) === true ? (writes.get(key) as V | undefined) : below.get(collection, key);
    },
    *entries<V>(collection: Collection<V>, prefix = '') {
      const writes = written.get(collection.name) as Map<string, V | undefined> | undefined;
      const mine = [...(writes?.keys() ?? [])].filter((key) => key.startsWith(prefix)).sort();
      let next = 0;
      for (const [key, value] of below.entries(collection, prefix)) {
        for (; next < mine.length && (mine[next] as string) < key; next++) yield* own(mine[next] as string);
        if (mine[next] === key) yield* own(mine[next++] as string);
        else yield [key, value] as const;
      }
      for (; next < mine.length; next++) yield* own(mine[next] as string);

      function* own(key: string) {
        const value = writes?.get(key);
        if (value !== undefined) yield [key, value] as const;
      }
    },
    set: (collection, key, value) => write(collection.name, key, value),
    delete: (collection, key) => write(collection.name, key, undefined),
    mark: (): Mark => journal.length,
    revert(mark) {
      while (journal.length > mark) {
        const last = journal.pop();
        if (last === undefined) return;
        if (last.had) written.get(last.name)?.set(last.key, last.before);
        else written.get(last.name)?.delete(last.key);
      }
    },
    clear() {
      written.clear();
      journal.length = 0;
    },
  };
}
