import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from 'strata-kit/clock';
import { type Api, createApi } from '../../src/api/api.ts';
import { type ApiServer, listenApi } from '../../src/api/http.ts';
import { readIdentity } from '../../src/api/identity.ts';
import type { Route, Snapshot } from '../../src/api/route.ts';
import { openChainState } from '../../src/api/state.ts';
import { readFacts } from '../../src/store/facts.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';

/** What an API over a store needs, read once, so that benches can open several. */
export interface ApiParts {
  readonly snapshot: Snapshot;
  readonly cursorKey: () => Uint8Array;
  create(options?: ApiChoices): Promise<Api>;
}

export interface ApiChoices {
  /** Sessions; 4 by default, as `strata serve` has them. */
  readonly readers?: number;
  /** Takes the SQL of each query. */
  readonly asked?: string[];
  /** Another snapshot for each request, so that nothing is kept from one to the next. */
  readonly snapshots?: () => Snapshot;
  readonly cacheBytes?: number;
  /** Beside the base layer's. */
  readonly routes?: readonly Route[];
}

const READERS = 4;

export async function readApiParts(stores: StoreFactory): Promise<ApiParts> {
  const store = await stores.open('parts');
  const state = await openChainState({ store, clock: systemClock, reportError: fail, pollMs: 3_600_000 });
  const snapshot = state.current();
  await state.close();
  const facts = await readFacts(store);
  const chain = readIdentity(
    facts,
    facts.get('chain_id') ?? '',
    facts.get('hrp') ?? '',
    facts.get('namespace') ?? '',
  );
  const key = randomBytes(32);
  const cursorKey = () => key;
  await store.close();
  const openapi = readFileSync(join(packageRoot(), 'openapi.yaml'));
  return {
    snapshot,
    cursorKey,
    create: async ({ readers = READERS, asked, snapshots = () => snapshot, cacheBytes, routes } = {}) => {
      const sessions = await Promise.all(
        Array.from({ length: readers }, (_, i) => stores.open(`reader ${i}`)),
      );
      return createApi({
        readers: asked === undefined ? sessions : sessions.map((session) => recording(session, asked)),
        state: { current: snapshots, refresh: () => Promise.resolve() },
        chain,
        cursorKey,
        openapi,
        clock: systemClock,
        reportError: fail,
        ...(cacheBytes === undefined ? {} : { cacheBytes }),
        ...(routes === undefined ? {} : { routes }),
      });
    },
  };
}

export async function withServer<T>(api: Api, use: (url: string) => Promise<T>): Promise<T> {
  const server: ApiServer = await listenApi(api, { host: '127.0.0.1', port: 0 });
  try {
    return await use(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
  }
}

function recording(store: Store, asked: string[]): Store {
  return {
    ...store,
    query: (sql, options) => {
      asked.push(sql);
      return store.query(sql, options);
    },
  };
}

function fail(error: unknown): void {
  console.error(error);
}
