import type { StoreChoice } from '../config.ts';
import { openEmbedded } from '../store/embedded.ts';
import { openServer } from '../store/server.ts';
import type { StoreFactory } from '../store/store.ts';

export interface StoreNeeds {
  /** For commands that only read: nothing is created for them. */
  readonly mustExist?: boolean;
}

/** Opens the store that the options name. Errors: store_in_use, store_unreachable, store_empty, config_invalid. */
export function openStores(choice: StoreChoice, needs: StoreNeeds = {}): Promise<StoreFactory> {
  return choice.kind === 'embedded'
    ? openEmbedded({ ...choice, ...needs })
    : openServer({ ...choice, ...needs });
}

/** Runs `use` and closes the store behind it, whatever happens: an engine that is not closed must not exit. */
export async function withStores<T>(
  choice: StoreChoice,
  use: (stores: StoreFactory) => Promise<T>,
  needs: StoreNeeds = {},
): Promise<T> {
  const stores = await openStores(choice, needs);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}
