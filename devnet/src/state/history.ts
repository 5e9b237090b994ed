import type { Kv, KvBatch } from './kv.ts';
import { type Change, numberKey, type Reader } from './state.ts';
import { readerOf, type Texts } from './texts.ts';

/**
 * The state's values at every kept height. A record's newest value stands under `s`, each that it ever had under `h` with
 * the height from which on it holds.
 */
export interface History {
  /** What a block has changed; within the transaction that stores the block. */
  add(batch: KvBatch, height: number, changes: readonly Change[]): void;
  /** The state after the block of this height, which must be kept. */
  readerAt(height: number): Reader;
  /** The same, as it is stored. */
  textsAt(height: number): Texts;
  /** The newest state, ordered by collection and key. */
  records(): Iterable<{ readonly collection: string; readonly key: string; readonly text: string }>;
  /** Takes away what held before the block of this height alone. */
  forgetBefore(batch: KvBatch, height: number): void;
}

/** Ends names and keys, which hold no NUL. */
const END = '\0';
/** The least text behind all that begin with an END. */
const BEHIND = '\x01';
/** Above every digit of a height. */
const AFTER_HEIGHTS = ':';
const afterRecord = (key: string) => `${key}${END}${AFTER_HEIGHTS}`;
/**
 * Versions of a record that a walk reads one after another. Most records have fewer; beyond them it looks for the one that
 * it needs and goes on after the last.
 */
const MOST_VERSIONS = 16;

type ChangedKeys = readonly (readonly [collection: string, key: string])[];

export interface HistoryOptions {
  /** For heights to be forgotten one day. */
  readonly remembersChanges: boolean;
  /** For another process to go on with. */
  readonly keepsNewest: boolean;
  /** Without the values at heights, `readerAt` finds nothing. */
  readonly keepsVersions: boolean;
}

export function createHistory(
  kv: Kv,
  { remembersChanges, keepsNewest, keepsVersions }: HistoryOptions,
): History {
  const current = (collection: string, key = '') => `s${END}${collection}${END}${key}`;
  const versions = (collection: string, key: string) => `h${END}${collection}${END}${key}${END}`;
  const changed = (height: number) => `d${END}${numberKey(height)}`;

  function textAt(collection: string, key: string, height: number): string | undefined {
    const from = versions(collection, key);
    const found = kv.last(from, from + numberKey(height));
    return found === undefined ? undefined : readVersion(found[1]);
  }

  function textsAt(height: number): Texts {
    return {
      get: (collection, key) => textAt(collection, key, height),
      *entries(collection, prefix, after) {
        const head = `h${END}${collection}${END}`;
        const end = `h${END}${collection}${BEHIND}`;
        let from: string | undefined = head + (after === undefined ? prefix : afterRecord(after));
        let found: { readonly key: string; text: string | undefined } | undefined;
        while (from !== undefined) {
          const range = kv.range(from, end);
          from = undefined;
          let versionsRead = 0;
          for (const [place, value] of range) {
            const split = place.lastIndexOf(END);
            const key = place.slice(head.length, split);
            if (!key.startsWith(prefix)) break;
            if (found?.key !== key) {
              if (found !== undefined) yield [found.key, found.text] as const;
              found = { key, text: undefined };
              versionsRead = 0;
            }
            versionsRead += 1;
            if (versionsRead > MOST_VERSIONS) {
              found.text = textAt(collection, key, height);
              from = head + afterRecord(key);
              break;
            }
            if (Number(place.slice(split + 1)) <= height) found.text = readVersion(value);
          }
        }
        if (found !== undefined) yield [found.key, found.text] as const;
      },
    };
  }

  return {
    add(batch, height, changes) {
      for (const { collection, key, after } of changes) {
        if (keepsNewest && after === undefined) batch.remove(current(collection, key));
        else if (keepsNewest) batch.put(current(collection, key), after);
        if (keepsVersions)
          batch.put(versions(collection, key) + numberKey(height), after === undefined ? null : after);
      }
      if (keepsVersions && remembersChanges && changes.length > 0)
        batch.put(
          changed(height),
          changes.map(({ collection, key }) => [collection, key]) satisfies ChangedKeys,
        );
    },
    readerAt: (height) => readerOf(textsAt(height)),
    textsAt,
    *records() {
      for (const [place, text] of kv.range(`s${END}`, `s${BEHIND}`)) {
        const [, collection = '', key = ''] = place.split(END);
        yield { collection, key, text: String(text) };
      }
    },
    forgetBefore(batch, height) {
      const keys = (kv.get(changed(height)) ?? []) as ChangedKeys;
      for (const [collection, key] of keys) {
        const from = versions(collection, key);
        for (const [place] of [...kv.range(from, from + numberKey(height))]) batch.remove(place);
        // what is gone by then needs no mark
        if (kv.get(from + numberKey(height)) === null) batch.remove(from + numberKey(height));
      }
      batch.remove(changed(height));
    },
  };
}

function readVersion(value: unknown): string | undefined {
  return value === null ? undefined : String(value);
}
