import type { CommandContext } from 'strata-kit/cli/context';
import { untilAborted } from 'strata-kit/cli/process';
import type { ListenAddress } from 'strata-kit/listen-address';
import { REPORTED_POLL_MS } from '../../api/state.ts';
import type { HttpKind } from '../../core/http-kind.ts';
import { loadModules } from '../../modules/load.ts';
import { withAdmin } from '../admin.ts';
import type { IndexOptions } from '../indexing-options.ts';
import { createRunHealth, headPaceOf, observeSource, openIndexingRun } from '../indexing-run.ts';
import { apiListenWarnings } from '../listening.ts';
import { withRawFolder } from '../raw-folder.ts';
import { type Serving, startServing } from '../serving.ts';
import { endHeight, openSource, verifyNodes } from '../sources.ts';
import { withStores } from '../stores.ts';

export interface StartOptions extends IndexOptions {
  readonly listen: ListenAddress;
  readonly http: { readonly kind: HttpKind };
}

/** strata start: index and serve in one process. At --to or a capture's end it goes on serving. */
export async function start(options: StartOptions, context: CommandContext): Promise<void> {
  for (const warning of apiListenWarnings(options.listen)) context.log.warn(warning);
  const modules = await loadModules(options.modulePaths);
  const health = createRunHealth(options, context);
  const parts = { command: 'start', health, api: true };
  await withAdmin(options, parts, context, async (admin) => {
    const observer = observeSource(health, admin);
    const source = await openSource(options.source, options.chainId, context.log, observer);
    try {
      const toHeight = await endHeight(options.source, source, options.toHeight);
      await withRawFolder(options.keepRaw, () =>
        withStores(options.store, async (stores) => {
          let serving: Serving | undefined;
          const pace = headPaceOf(stores);
          const { run, close } = await openIndexingRun({ ...options, toHeight }, source, stores, context, {
            health,
            admin,
            pace,
            verifyNodes: verifyNodes(options.source),
            onCommit: (commit) => serving?.notify(commit),
            onChanged: () => serving?.notify('changed'),
          });
          try {
            serving = await startServing(stores, { ...options.listen, ...options.http }, context.log, {
              ...(stores.isExclusive ? { pollMs: REPORTED_POLL_MS } : {}),
              onAnswer: admin?.noteAnswer,
              pace,
              modules,
            });
            admin?.watchServing(serving);
            context.log.info(`serving ${serving.url}`);
            await run();
            await untilAborted(context.signal);
          } finally {
            await serving?.close();
            await close();
          }
        }),
      );
    } finally {
      await source.close();
    }
  });
}
