import type { CommandContext } from 'strata-kit/cli/context';
import { parentGone, tellParent, untilAborted } from 'strata-kit/cli/process';
import { systemClock } from 'strata-kit/clock';
import { isStrataError } from 'strata-kit/errors';
import type { ListenAddress } from 'strata-kit/listen-address';
import { REFERENCE_NAMESPACE } from 'strata-kit/parameters';
import { createGate } from '../../api/gate.ts';
import { type ApiServer, listenApi } from '../../api/http.ts';
import { REPORTED_POLL_MS } from '../../api/state.ts';
import type { HttpKind } from '../../core/http-kind.ts';
import type { StoreChoice } from '../../core/store-choice.ts';
import { loadModules } from '../../modules/load.ts';
import type { AdminOptions, ApiProcess } from '../../settings/serving.ts';
import { withAdmin } from '../admin.ts';
import { READY, runApiProcesses } from '../api-processes.ts';
import { apiListenWarnings } from '../listening.ts';
import { reindexStores } from '../reindexing.ts';
import { openApi, urlOf } from '../serving.ts';
import { withStores } from '../stores.ts';

export interface ServeOptions extends AdminOptions {
  readonly store: StoreChoice;
  readonly listen: ListenAddress;
  readonly http: { readonly kind: HttpKind };
  readonly processes: number;
  /** Of a process that `serve --processes` has started. */
  readonly apiProcess: ApiProcess | undefined;
  /** As those of the process that indexes. */
  readonly modulePaths: readonly string[];
}

/** Of a store that is served and not indexed: it tells its namespace itself, and is as its indexing process left it. */
const REINDEXING = { namespace: REFERENCE_NAMESPACE, forceModules: false, isAlone: false } as const;

const EMPTY_RETRY_MS = 1_000;
const EMPTY_WARNING_MS = 10_000;

/** strata serve: the API alone, from a store that another process fills. */
export async function serve(options: ServeOptions, context: CommandContext): Promise<void> {
  if (options.apiProcess === undefined)
    for (const warning of apiListenWarnings(options.listen)) context.log.warn(warning);
  if (options.processes > 1 && options.apiProcess === undefined) await runApiProcesses(options, context);
  else if (options.apiProcess === undefined) await serveHere(options, context);
  else await serveHere(options, { ...context, signal: AbortSignal.any([context.signal, parentGone()]) });
}

/**
 * Listens first and answers 503 until the store holds a chain, so that index and serve start in any order. Only a store
 * over HTTP is waited for: an embedded one that is empty cannot be filled while this process has it open.
 */
async function serveHere(options: ServeOptions, context: CommandContext): Promise<void> {
  const { apiProcess, http, store } = options;
  const listen = {
    ...options.listen,
    ...(apiProcess === undefined ? {} : { port: apiProcess.port, sharedPort: true }),
    ...http,
  };
  const modules = await loadModules(options.modulePaths);
  const admin = apiProcess === undefined ? options.admin : ownAdmin(options.admin, apiProcess.index);
  const parts = { command: 'serve', api: true };
  await withAdmin({ ...options, admin }, parts, context, async (admin) => {
    const gate = createGate();
    let server: ApiServer | undefined =
      store.kind === 'server' ? await listenApi(gate.api, listen) : undefined;
    try {
      await whenIndexed(store.kind === 'server', context, () =>
        withStores(
          store,
          async (stores) => {
            const served = await openApi(stores, context.log, {
              onAnswer: admin?.noteAnswer,
              modules,
              ...(stores.isExclusive ? { pollMs: REPORTED_POLL_MS } : {}),
            });
            stores.offers.reindex = (module) =>
              reindexStores(stores, {
                module,
                modulePaths: options.modulePaths,
                ...REINDEXING,
                watch: { onSwitched: () => served.notify('changed') },
                signal: context.signal,
              });
            try {
              gate.open(served.api);
              server ??= await listenApi(gate.api, listen);
              const url = urlOf(listen, server);
              admin?.watchServing(served);
              if (apiProcess === undefined) context.log.info(`serving ${url}`);
              else tellParent(READY);
              await untilAborted(context.signal);
            } finally {
              await server?.close();
              await served.close();
            }
          },
          { mustExist: true },
        ),
      );
    } finally {
      await server?.close();
    }
  });
}

/** Tries again while the store is empty, until the signal aborts. */
async function whenIndexed(
  waits: boolean,
  { log, signal }: CommandContext,
  attempt: () => Promise<void>,
): Promise<void> {
  let toldMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!waits || !isStrataError(error, 'store_empty')) throw error;
      if (performance.now() - toldMs >= EMPTY_WARNING_MS) {
        toldMs = performance.now();
        log.warn(`${error.message}: answering 503 until something is indexed`);
      }
      await systemClock.sleep(EMPTY_RETRY_MS, signal);
    }
  }
}

/** Each of several processes has an admin listener of its own, on ports that follow each other. */
function ownAdmin(admin: ServeOptions['admin'], index: number): ServeOptions['admin'] {
  if (admin === undefined || admin.port === 0) return admin;
  return { ...admin, port: admin.port + index };
}
