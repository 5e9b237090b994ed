import { chmodSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { open } from 'lmdb';
import type SortedBTree from 'sorted-btree';
import { checkDataFile } from './data-file.ts';
import { compareKeys } from './state.ts';

/** Ordered records, in memory or on disk: what a chain keeps of itself. Values are plain data, bigints and bytes too. */
export interface Kv {
  /** Whether another process may go on with it. */
  readonly isKept: boolean;
  get(key: string): unknown;
  /** Keys from `from` on and below `to`, ascending. Nothing may be written meanwhile. */
  range(from: string, to: string): Iterable<readonly [key: string, value: unknown]>;
  /** The greatest key of `from` to `to`, both included. */
  last(from: string, to: string): readonly [key: string, value: unknown] | undefined;
  /** All that `write` puts and removes, or nothing of it. */
  write(write: (batch: KvBatch) => void): void;
  close(): Promise<void>;
}

export interface KvBatch {
  put(key: string, value: unknown): void;
  remove(key: string): void;
}

const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as typeof SortedBTree;

/** Gone with the process. */
export function createMemoryKv(): Kv {
  const tree: SortedBTree.default<string, unknown> = new BTree<string, unknown>(undefined, compareKeys);
  return {
    isKept: false,
    get: (key) => tree.get(key),
    *range(from, to) {
      for (const [key, value] of tree.entries(from)) {
        if (key >= to) return;
        yield [key, value] as const;
      }
    },
    last(from, to) {
      // the pair at `to` or below it
      const pair = tree.getPairOrNextLower(to);
      return pair === undefined || pair[0] < from ? undefined : pair;
    },
    write: (write) =>
      write({
        put: (key, value) => {
          tree.set(key, value);
        },
        remove: (key) => {
          tree.delete(key);
        },
      }),
    close: async () => undefined,
  };
}

/** Much more than a devnet writes; a file takes what it holds. */
const MAP_BYTES = 64 * 1024 ** 3;

/**
 * In a folder, by LMDB. A write is one transaction: a process that dies leaves the state before it or after it. The
 * system may still have to bring the last ones to the disk (`overlappingSync`), which a SIGKILL does not undo.
 * Errors: those of the file system, and an Error for a file that is cut off or another's.
 */
export function openDiskKv(folder: string): Kv {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkDataFile(join(folder, 'data.mdb'));
  const db = open<unknown, Buffer>({
    path: folder,
    keyEncoding: 'binary',
    mapSize: MAP_BYTES,
    compression: true,
    maxDbs: 1,
  });
  for (const file of ['data.mdb', 'lock.mdb']) chmodSync(join(folder, file), 0o600);
  return {
    isKept: true,
    get: (key) => db.get(toKey(key)),
    *range(from, to) {
      for (const { key, value } of db.getRange({ start: toKey(from), end: toKey(to) }))
        yield [key.toString('utf8'), value] as const;
    },
    last(from, to) {
      for (const { key, value } of db.getRange({
        start: toKey(to),
        end: toKey(from),
        reverse: true,
        limit: 1,
        inclusiveEnd: true,
      } as never))
        return [(key as Buffer).toString('utf8'), value] as const;
      return undefined;
    },
    write(write) {
      db.transactionSync(() => {
        write({
          put: (key, value) => {
            db.putSync(toKey(key), value);
          },
          remove: (key) => {
            db.removeSync(toKey(key));
          },
        });
      });
    },
    close: () => db.close(),
  };
}

function toKey(key: string): Buffer {
  return Buffer.from(key, 'utf8');
}
