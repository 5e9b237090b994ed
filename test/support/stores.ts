import { readdir, rm } from 'node:fs/promises';
import { openEmbedded } from '../../src/store/embedded.ts';
import { openServer } from '../../src/store/server.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { copyEmptyStore } from './empty-store.ts';
import { startEngine } from './engine.ts';
import { releaseSharedStore } from './shared-store.ts';

/** `npm run test:engine`: what opens a store here then has it behind a process `strata engine`. */
export const OVER_ENGINE = process.env.STRATA_TEST_STORE === 'engine';

export interface TestStoreOptions {
  /** True: an empty folder stays without tables. */
  readonly isBare?: boolean;
}

/**
 * A store over a folder: embedded, or with STRATA_TEST_STORE=engine a server over it, which ends when the store closes.
 * An empty folder gets Strata's tables first.
 */
export async function openTestStores(
  folder: string,
  { isBare = false }: TestStoreOptions = {},
): Promise<StoreFactory> {
  await releaseSharedStore();
  if (!isBare && (await isEmpty(folder))) {
    await rm(folder, { recursive: true, force: true });
    await copyEmptyStore(folder);
  }
  if (!OVER_ENGINE) return openEmbedded({ folder });
  const engine = await startEngine(folder);
  try {
    const { url, user, password } = engine;
    const stores = await openServer({ url, user, password, database: 'default' });
    return {
      ...stores,
      async close() {
        await stores.close();
        await engine.stop();
      },
    };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.length === 0;
}
