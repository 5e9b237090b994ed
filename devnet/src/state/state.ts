import { createRequire } from 'node:module';
import type SortedBTree from 'sorted-btree';

/**
 * The chain's state: collections of immutable values by text keys, in one place and changed in place, with a journal
 * that undoes. A tx, a message and a call of the EVM each take a mark and go back to it when they fail, and a block
 * takes what has changed since the last one.
 */

// a CommonJS package with a default export, which importers take for different things
const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as typeof SortedBTree;

/** A collection's records: the values by key, since most reads name one, and the keys in order. */
interface Records {
  readonly values: Map<string, unknown>;
  readonly keys: SortedBTree.default<string, undefined>;
}

/** A kind of records. Its name begins with its module's: `rights/positions`. */
export interface Collection<V> {
  readonly name: string;
  /** Canonical: one text a value. */
  readonly encode: (value: V) => string;
  readonly decode: (text: string) => V;
}

/** What queries need: the state now, or at a height. */
export interface Reader {
  get<V>(collection: Collection<V>, key: string): V | undefined;
  /** In the order of the keys' UTF-16 units. Nothing may be written meanwhile. */
  entries<V>(collection: Collection<V>, prefix?: string): IterableIterator<readonly [key: string, value: V]>;
}

/** A point to go back to. */
export type Mark = number;

export interface State extends Reader {
  /** Values are immutable: a changed one is another object. */
  set<V>(collection: Collection<V>, key: string, value: V): void;
  delete<V>(collection: Collection<V>, key: string): void;
  mark(): Mark;
  /** Undoes what was written since. */
  revert(mark: Mark): void;
}

/** One record of a block: its value after it, or none when it is gone. */
export interface Change {
  readonly collection: string;
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface CommittableState extends State {
  /** What has changed since the last call, once a record, ordered by collection and key. Marks taken before are void. */
  takeChanges(): Change[];
  /** Puts a record in place as it was stored, without a journal: at start. Whoever reads it first decodes it. */
  load(collectionName: string, key: string, text: string): void;
}

/** A record that nobody has read since it was loaded. */
class Stored {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface Written {
  readonly collection: Collection<unknown>;
  readonly key: string;
  readonly before: unknown;
}

export function createState(): CommittableState {
  const collections = new Map<string, Records>();
  const journal: Written[] = [];

  function recordsOf(name: string): Records {
    let records = collections.get(name);
    if (records === undefined) {
      records = { values: new Map(), keys: new BTree<string, undefined>(undefined, compareKeys) };
      collections.set(name, records);
    }
    return records;
  }

  function put(collection: Collection<unknown>, key: string, value: unknown): void {
    place(recordsOf(collection.name), key, value);
  }

  function write(collection: Collection<unknown>, key: string, value: unknown): void {
    const before = recordsOf(collection.name).values.get(key);
    if (before === undefined && value === undefined) return;
    journal.push({ collection, key, before });
    put(collection, key, value);
  }

  return {
    get<V>(collection: Collection<V>, key: string) {
      const { values } = recordsOf(collection.name);
      const value = values.get(key);
      return (value instanceof Stored ? read(values, collection, key, value) : value) as V | undefined;
    },
    *entries<V>(collection: Collection<V>, prefix = '') {
      const { values, keys } = recordsOf(collection.name);
      for (const key of keys.keys(prefix)) {
        if (!key.startsWith(prefix)) return;
        const value = values.get(key);
        yield [key, value instanceof Stored ? read(values, collection, key, value) : (value as V)] as const;
      }
    },
    set: (collection, key, value) => write(collection as Collection<unknown>, key, value),
    delete: (collection, key) => write(collection as Collection<unknown>, key, undefined),
    mark: () => journal.length,
    revert(mark) {
      while (journal.length > mark) {
        const { collection, key, before } = journal.pop() as Written;
        put(collection, key, before);
      }
    },
    takeChanges() {
      const first = new Map<string, Map<string, Written>>();
      for (const written of journal) {
        const { name } = written.collection;
        const ofName = first.get(name) ?? new Map<string, Written>();
        if (!first.has(name)) first.set(name, ofName);
        if (!ofName.has(written.key)) ofName.set(written.key, written);
      }
      journal.length = 0;
      return [...first.keys()]
        .sort(compareKeys)
        .flatMap((name) => changesOf(first.get(name) ?? new Map(), recordsOf(name).values));
    },
    load(collection, key, text) {
      place(recordsOf(collection), key, new Stored(text));
    },
  };
}

function place({ values, keys }: Records, key: string, value: unknown): void {
  if (value === undefined) {
    values.delete(key);
    keys.delete(key);
  } else {
    if (!values.has(key)) keys.set(key, undefined);
    values.set(key, value);
  }
}

function read<V>(values: Records['values'], collection: Collection<V>, key: string, { text }: Stored): V {
  const value = collection.decode(text);
  values.set(key, value);
  return value;
}

function textOf(collection: Collection<unknown>, value: unknown): string | undefined {
  if (value instanceof Stored) return value.text;
  return value === undefined ? undefined : collection.encode(value);
}

function changesOf(written: ReadonlyMap<string, Written>, values: Records['values']): Change[] {
  const changes: Change[] = [];
  for (const [key, { collection, before }] of [...written].sort(([a], [b]) => compareKeys(a, b))) {
    const value = values.get(key);
    const change = {
      collection: collection.name,
      key,
      before: textOf(collection, before),
      after: textOf(collection, value),
    };
    if (change.before !== change.after) changes.push(change);
  }
  return changes;
}

/** By UTF-16 units, whatever the machine's language. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Records of plain objects, arrays, texts, numbers, booleans, null and bigints. */
export function collection<V>(name: string): Collection<V> {
  return {
    name,
    encode: (value) =>
      JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? { $n: String(part) } : part)),
    decode: (text) =>
      JSON.parse(text, (_, part) => (typeof part?.$n === 'string' ? BigInt(part.$n) : part)) as V,
  };
}

/** A number as a part of a key, so that keys are in its order. */
export function numberKey(value: number | bigint): string {
  return String(value).padStart(20, '0');
}
