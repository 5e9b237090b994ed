import type { Store, StoreFactory } from '../../src/store/store.ts';
import { openTestStores } from './stores.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestStore {
  readonly folder: string;
  readonly factory: StoreFactory;
  readonly store: Store;
  close(): Promise<void>;
}

/** An embedded store in a folder of its own, with the schema unless `migrated` is false. One a process at a time. */
export async function openTestStore(options: { readonly migrated?: boolean } = {}): Promise<TestStore> {
  const folder = await temporaryFolder();
  const factory = await openTestStores(folder.path, { isBare: options.migrated === false });
  const store = await factory.open('test');
  return {
    folder: folder.path,
    factory,
    store,
    async close() {
      await factory.close();
      await folder.remove();
    },
  };
}
