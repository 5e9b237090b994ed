import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, withStore } from './indexing.ts';
import { type TablePrints, tablePrints } from './table-prints.ts';

/** All that two stores of one chain are compared by. */
export interface StorePrint {
  /** The lines of `strata digest`. */
  readonly digest: readonly string[];
  readonly tables: TablePrints;
}

export async function printOf(stores: StoreFactory): Promise<StorePrint> {
  const digest = await digestLines(stores);
  const store = await stores.open('prints');
  const tables = await tablePrints(store);
  await store.close();
  return { digest, tables };
}

/** Of the store in a folder that no process has open. */
export function storePrint(folder: string): Promise<StorePrint> {
  return withStore(folder, printOf);
}
