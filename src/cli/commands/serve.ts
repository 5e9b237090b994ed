import type { StoreFactory } from '../../store/store.ts';
import type { ServeOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { startServing } from '../serving.ts';
import { withStores } from '../stores.ts';

/** strata serve: the API alone, from a store that another process fills. */
export async function serve(options: ServeOptions, { log, signal }: CommandContext): Promise<void> {
  const serveStores = async (stores: StoreFactory): Promise<void> => {
    const serving = await startServing(stores, options.listen, log);
    log.info(`serving ${serving.url}`);
    await untilAborted(signal);
    await serving.close();
  };
  await withStores(options.store, serveStores, { mustExist: true });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
