import { createRunHealth, openIndexingRun } from '../indexing-run.ts';
import type { IndexOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { endHeight, openSource } from '../sources.ts';
import { withStores } from '../stores.ts';

/** strata index: backfills, then follows the head; --to and the end of a capture stop it. */
export async function index(options: IndexOptions, context: CommandContext): Promise<void> {
  const health = createRunHealth(options, context);
  const source = await openSource(options.source, options.chainId, context.log, {
    onError: (node, code) => health.noteError(code, node),
  });
  try {
    const toHeight = await endHeight(options.source, source, options.toHeight);
    await withStores(options.store, async (stores) => {
      const { run } = await openIndexingRun({ ...options, toHeight }, source, stores, context, { health });
      await run();
    });
  } finally {
    await source.close();
  }
}
