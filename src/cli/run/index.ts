import type { CommandContext } from 'strata-kit/cli/context';
import { loadModules } from '../../modules/load.ts';
import { withAdmin } from '../admin.ts';
import type { IndexOptions } from '../indexing-options.ts';
import { createRunHealth, headPaceOf, observeSource, openIndexingRun } from '../indexing-run.ts';
import { withRawFolder } from '../raw-folder.ts';
import { endHeight, openSource, verifyNodes } from '../sources.ts';
import { withStores } from '../stores.ts';

/** strata index: backfills, then follows the head; --to and the end of a capture stop it. */
export async function index(options: IndexOptions, context: CommandContext): Promise<void> {
  // the writer's thread loads them for itself; a wrong one is said before anything is opened
  await loadModules(options.modulePaths);
  const health = createRunHealth(options, context);
  const parts = { command: 'index', health };
  await withAdmin(options, parts, context, async (admin) => {
    const observer = observeSource(health, admin);
    const source = await openSource(options.source, options.chainId, context.log, observer);
    try {
      const toHeight = await endHeight(options.source, source, options.toHeight);
      await withRawFolder(options.keepRaw, () =>
        withStores(options.store, async (stores) => {
          const hooks = { health, admin, pace: headPaceOf(stores), verifyNodes: verifyNodes(options.source) };
          const { run } = await openIndexingRun({ ...options, toHeight }, source, stores, context, hooks);
          await run();
        }),
      );
    } finally {
      await source.close();
    }
  });
}
