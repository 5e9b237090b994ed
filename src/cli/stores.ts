import type { StoreChoice } from '../config.ts';
import { openEmbedded } from '../store/embedded.ts';
import { openServer } from '../store/server.ts';
import type { StoreFactory } from '../store/store.ts';

/** Opens the store that the options name. Errors: store_in_use, store_unreachable, config_invalid. */
export function openStores(choice: StoreChoice): Promise<StoreFactory> {
  return choice.kind === 'embedded' ? openEmbedded(choice) : openServer(choice);
}

/** Runs `use` and closes the store behind it, whatever happens: an engine that is not closed must not exit. */
export async function withStores<T>(
  choice: StoreChoice,
  use: (stores: StoreFactory) => Promise<T>,
): Promise<T> {
  const stores = await openStores(choice);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}
