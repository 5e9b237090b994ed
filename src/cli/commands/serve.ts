import { withAdmin } from '../admin.ts';
import type { ServeOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { startServing } from '../serving.ts';
import { withStores } from '../stores.ts';

/** strata serve: the API alone, from a store that another process fills. */
export async function serve(options: ServeOptions, context: CommandContext): Promise<void> {
  const { log, signal } = context;
  await withAdmin(options, { command: 'serve', api: true }, context, (admin) =>
    withStores(
      options.store,
      async (stores) => {
        const serving = await startServing(stores, options.listen, log, admin?.noteAnswer);
        admin?.watchServing(serving);
        log.info(`serving ${serving.url}`);
        await untilAborted(signal);
        await serving.close();
      },
      { mustExist: true },
    ),
  );
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
