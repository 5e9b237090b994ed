import type { StoreChoice } from '../core/store-choice.ts';
import { openEmbedded } from '../store/embedded.ts';
import { openServer } from '../store/server.ts';
import type { StoreFactory } from '../store/store.ts';
import { type Offers, offerControl } from './folder-control.ts';

export interface StoreNeeds {
  /** For commands that only read: nothing is created for them. */
  readonly mustExist?: boolean;
  /** Where backups are read that are restored into an embedded store. */
  readonly backupsFolder?: string;
}

/** An open store, and where a command says what it does for others meanwhile. */
export type OpenedStores = StoreFactory & { readonly offers: Offers };

/** Opens the store that the options name. Errors: store_in_use, store_unreachable, store_empty, config_invalid. */
export async function openStores(choice: StoreChoice, needs: StoreNeeds = {}): Promise<OpenedStores> {
  if (choice.kind === 'embedded') return openFolder(choice.folder, needs);
  return { ...(await openServer({ ...choice, ...needs })), offers: {} };
}

/** The process that has a folder open makes its backups and comparisons too. */
async function openFolder(folder: string, needs: StoreNeeds): Promise<OpenedStores> {
  const stores = await openEmbedded({ folder, ...needs });
  try {
    const offers: Offers = {};
    const control = await offerControl(stores, folder, offers);
    return {
      ...stores,
      offers,
      close: async () => {
        await control?.close();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Runs `use` and closes the store behind it, whatever happens: an engine that is not closed must not exit. */
export async function withStores<T>(
  choice: StoreChoice,
  use: (stores: OpenedStores) => Promise<T>,
  needs: StoreNeeds = {},
): Promise<T> {
  const stores = await openStores(choice, needs);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}
