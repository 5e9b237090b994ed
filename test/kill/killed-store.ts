import { join } from 'node:path';
import { expect } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { countRows, heightTables } from '../../src/store/repair.ts';
import { identifier, quote } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { type IndexRun, indexInto } from '../support/indexing.ts';
import { type StorePrint, storePrint } from '../support/store-print.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dieAt, type MortalParts } from './mortal.ts';

/**
 * A store whose runs die in this process, one after the other; each repairs what the one before it has left. Every run
 * that gets past its start must find the rows that were there before the death.
 */
export interface KilledStore {
  /** Indexes until it dies at the point. */
  die(point: string, toHeight: number): Promise<void>;
  /** Another run than of indexing, which looks at no rows. */
  dieIn(point: string, run: (parts: MortalParts) => Promise<unknown>): Promise<void>;
  /** Indexes to the height, or to where the store is. */
  index(toHeight: number): Promise<void>;
  /** The rows that are there now are those that the next starts must come to. */
  keep(): Promise<void>;
  /** Rows by table, of those that have some. */
  rows(): Promise<Rows>;
  /** The newest part of a table goes, as by a power failure. It is that of the commit that `work` makes. */
  losePart(table: string, work: () => Promise<void>): Promise<void>;
  /** With the engine closed and opened again; nothing can be asked afterwards. */
  print(): Promise<StorePrint>;
  close(): Promise<void>;
}

type Rows = Readonly<Record<string, number>>;

export async function openKilledStore(run: IndexRun): Promise<KilledStore> {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  // the first start is killed too
  const stores = await openTestStores(data, { isBare: true });
  let expected: Rows = {};
  let lastDeath = 'no death';

  const inSession = async <T>(use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await stores.open('look');
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const rows = () => inSession(rowsByTable);
  const onOpen = async (): Promise<void> => {
    expect(await rows(), `after ${lastDeath}`).toEqual(expected);
  };
  return {
    rows,
    die: (point, toHeight) =>
      dieAt(stores, point, (parts) =>
        indexInto(parts.stores, { ...run, toHeight, onOpen, ...parts }),
      ).finally(() => {
        lastDeath = point;
      }),
    async dieIn(point, other) {
      await dieAt(stores, point, other);
      lastDeath = point;
    },
    async index(toHeight) {
      await indexInto(stores, { ...run, toHeight, onOpen });
    },
    async keep() {
      expected = await rows();
    },
    losePart: (table, work) =>
      inSession(async (store) => {
        await store.command(`SYSTEM STOP MERGES ${identifier(table)}`);
        await work();
        const parts = new RowReader(
          await store.query(
            `SELECT name FROM system.parts WHERE database = currentDatabase() AND active AND table = ${quote(table)} ORDER BY min_block_number DESC`,
          ),
        );
        await store.command(`ALTER TABLE ${identifier(table)} DROP PART ${quote(parts.string())}`);
        await store.command(`SYSTEM START MERGES ${identifier(table)}`);
      }),
    async print() {
      await stores.close();
      return storePrint(data);
    },
    async close() {
      await stores.close();
      await folder.remove();
    },
  };
}

async function rowsByTable(store: Store): Promise<Rows> {
  const rows = await countRows(store, await heightTables(store));
  const heights = new RowReader(await store.query('SELECT uniqExact(height) FROM checkpoints')).u64();
  return Object.fromEntries([...rows, ['checkpoints', heights] as const].filter(([, count]) => count > 0));
}
