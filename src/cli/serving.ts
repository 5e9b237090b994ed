import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'strata-kit/cli/logging';
import { systemClock } from 'strata-kit/clock';
import { isStrataError } from 'strata-kit/errors';
import { REFERENCE_NAMESPACE } from 'strata-kit/parameters';
import { createThrottledWarning } from 'strata-kit/throttled-warning';
import { hostInUrl } from 'strata-kit/url';
import { type AnswerObserver, type Api, createApi } from '../api/api.ts';
import { createCursorKey } from '../api/cursor-key.ts';
import { type ApiServer, listenApi, type ServerOptions } from '../api/http.ts';
import { readIdentity } from '../api/identity.ts';
import type { Route, Snapshot } from '../api/route.ts';
import { type CommitNews, openChainState } from '../api/state.ts';
import { tablesOf } from '../modules/load.ts';
import type { Module } from '../modules/module.ts';
import { baseModulesOf, derivedTypes, MODULES } from '../modules/modules.ts';
import type { HeadPace } from '../pipeline/head-pace.ts';
import { readFacts } from '../store/facts.ts';
import { checkReadable, storeEmpty } from '../store/migrations.ts';
import { checkModuleTables } from '../store/module-tables.ts';
import { packageRoot } from '../store/package-root.ts';
import type { Store, StoreFactory } from '../store/store.ts';

/** Side by side: one session answers about 670 point queries a second, four about 1,220. */
const READER_SESSIONS = 4;

const SHOWN_POLL_MS = 20;
/** How long a request waits for the commit of blocks that have been fetched for it. */
const FRESH_WITHIN_MS = 1_000;

export interface ServedApi {
  readonly api: Api;
  /** What answers show. */
  snapshot(): Snapshot;
  /** When that was read, in milliseconds since 1970. */
  readAtMs(): number;
  /** The indexing process has committed. */
  notify(news: CommitNews | 'changed'): void;
  /** Resolves when answers show `height`, or when the signal aborts. */
  untilShown(height: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ServingOptions {
  /** Between two looks at the store; STATE_POLL_MS unless given. */
  readonly pollMs?: number;
  readonly onAnswer?: AnswerObserver | undefined;
  /** Of the indexer in this process, which pauses while nobody reads. */
  readonly pace?: HeadPace | undefined;
  /** Strata's own, unless others are given. */
  readonly modules?: readonly Module[];
}

export interface Serving extends ServedApi {
  /** http://host:port */
  readonly url: string;
}

/**
 * Serves the API from a store. Everything it needs to know of the chain stands in the store.
 *
 * Errors: config_invalid when the address cannot be listened on, or for modules whose tables the store lacks;
 * store_empty when the store holds no chain yet; store_newer_schema; store_older_schema.
 */
export async function startServing(
  stores: StoreFactory,
  listen: ServerOptions,
  log: Logger,
  more: ServingOptions = {},
): Promise<Serving> {
  const served = await openApi(stores, log, more);
  try {
    const server = await listenApi(served.api, listen);
    return {
      ...served,
      url: urlOf(listen, server),
      async close() {
        await server.close();
        await served.close();
      },
    };
  } catch (error) {
    await served.close();
    throw error;
  }
}

/** http://host:port as a client writes it. */
export function urlOf(listen: ServerOptions, server: ApiServer): string {
  return `http://${hostInUrl(listen.host, server.port)}`;
}

/** Of Strata's own modules: one from outside may answer from other tables than those that it derives. */
function derivedBy(modules: readonly Module[]): ReadonlyMap<Route, string> {
  return new Map(
    modules
      .filter((module) => module.derivation !== undefined && MODULES.includes(module))
      .flatMap(({ name, routes }) => routes.map((route) => [route, name] as const)),
  );
}

/** The API over a store, without a socket. Errors: config_invalid, store_empty, store_newer_schema, store_older_schema. */
export async function openApi(
  stores: StoreFactory,
  log: Logger,
  more: ServingOptions = {},
): Promise<ServedApi> {
  const sessions: Store[] = [];
  const open = async (name: string): Promise<Store> => {
    const session = await stores.open(name);
    sessions.push(session);
    return session;
  };
  const closeSessions = async (): Promise<void> => {
    await Promise.all(sessions.map((session) => session.close()));
  };
  try {
    return await openApiFrom(open, closeSessions, stores.name, log, more);
  } catch (error) {
    await closeSessions();
    throw error;
  }
}

async function openApiFrom(
  open: (session: string) => Promise<Store>,
  closeSessions: () => Promise<void>,
  storeName: string,
  log: Logger,
  { onAnswer, modules = MODULES, pace, pollMs }: ServingOptions,
): Promise<ServedApi> {
  const stateStore = await open('state');
  await checkReadable(stateStore, storeName);
  const facts = await readFacts(stateStore);
  const chainId = facts.get('chain_id');
  const hrp = facts.get('hrp');
  const namespace = facts.get('namespace') ?? REFERENCE_NAMESPACE;
  if (chainId === undefined || hrp === undefined) throw storeEmpty(storeName);
  // after the facts: an indexer that starts makes the modules' tables before it writes the chain's facts
  await checkModuleTables(stateStore, storeName, tablesOf(modules));
  const readers = await Promise.all(
    Array.from({ length: READER_SESSIONS }, (_, i) => open(`reader ${i + 1}`)),
  );
  const openapi = await readFile(join(packageRoot(), 'openapi.yaml'));
  const cursorKey = createCursorKey(stateStore, (message) => log.warn(message));
  const state = await openChainState({
    store: stateStore,
    clock: systemClock,
    ...(pollMs === undefined ? {} : { pollMs }),
    alsoRead: cursorKey.read,
    reportError: createThrottledWarning(
      log,
      'the checkpoint could not be read, and the last one known is served',
    ),
  });
  const untilShown = async (height: number, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && state.current().indexedHeight < height) {
      await systemClock.sleep(SHOWN_POLL_MS, signal);
    }
  };
  let turn: Promise<number> | undefined;
  /** Of all requests that came since the turn began. */
  let fresh: Promise<void> | undefined;
  const freshen = (): Promise<void> | undefined => {
    const newest = pace?.noteReader();
    if (newest !== undefined && newest !== turn) {
      turn = newest;
      fresh = newest
        .then((height) => untilShown(height, AbortSignal.timeout(FRESH_WITHIN_MS)))
        .finally(() => {
          fresh = undefined;
        });
    }
    return fresh;
  };
  // a store that is away fails every request
  const failed = createThrottledWarning(log, 'a request failed');
  const api = createApi({
    readers,
    state,
    chain: readIdentity(facts, chainId, hrp, namespace, state.facts),
    derivedTypes: derivedTypes(namespace, modules),
    baseModules: baseModulesOf(modules),
    cursorKey: cursorKey.current,
    openapi,
    routes: modules.flatMap(({ routes }) => routes),
    derivedBy: derivedBy(modules),
    candidates: modules.flatMap(({ candidates = [] }) => candidates),
    clock: systemClock,
    reportError: (error, target) => {
      if (isStrataError(error) && error.code !== 'internal') failed(error, { code: error.code, target });
      else log.error({ err: error, target }, 'a request failed');
    },
    ...(pace === undefined ? {} : { freshen }),
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  return {
    api,
    snapshot: state.current,
    readAtMs: state.readAtMs,
    notify: state.notify,
    untilShown,
    async close() {
      await state.close();
      await closeSessions();
    },
  };
}
