import { createRunHealth, openIndexingRun } from '../indexing-run.ts';
import type { StartOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { type Serving, startServing } from '../serving.ts';
import { endHeight, openSource } from '../sources.ts';
import { withStores } from '../stores.ts';
import { untilAborted } from './serve.ts';

/** strata start: index and serve in one process. At --to or a capture's end it goes on serving. */
export async function start(options: StartOptions, context: CommandContext): Promise<void> {
  const health = createRunHealth(options, context);
  const source = await openSource(options.source, options.chainId, context.log, {
    onError: (node, code) => health.noteError(code, node),
  });
  try {
    const toHeight = await endHeight(options.source, source, options.toHeight);
    await withStores(options.store, async (stores) => {
      let serving: Serving | undefined;
      const { run, close } = await openIndexingRun({ ...options, toHeight }, source, stores, context, {
        health,
        onCommit: () => serving?.notify(),
      });
      try {
        serving = await startServing(stores, options.listen, context.log);
        context.log.info(`serving ${serving.url}`);
        await run();
        await untilAborted(context.signal);
      } finally {
        await serving?.close();
        await close();
      }
    });
  } finally {
    await source.close();
  }
}
