import type { Clock } from '../core/clock.ts';
import type { Store, StoreFactory } from '../store/store.ts';
import { createApi } from './api.ts';
import { deriveCursorKey } from './cursor.ts';
import type { ChainIdentity } from './route.ts';
import { listenApi } from './server.ts';
import { openChainState } from './state.ts';

const READER_SESSIONS = 4;

export interface StartApiOptions {
  readonly factory: StoreFactory;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly chain: ChainIdentity;
  readonly schemaVersion: number;
  /** The text of openapi.yaml. */
  readonly openapi: Uint8Array;
  readonly clock: Clock;
  /** Hears of every failure that is answered as internal; `target` is the request's, empty for the state's poll. */
  readonly reportError: (error: unknown, target: string) => void;
  readonly readerSessions?: number;
}

export interface RunningApi {
  /** E.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** The indexing process has committed: answers follow at once instead of at the next poll. */
  notify(): void;
  /** Finishes the answers in flight, then closes sockets and sessions. */
  close(): Promise<void>;
}

/**
 * Opens the reader sessions and serves the API on them. Errors: config_invalid when the address cannot be listened
 * on; those of StoreFactory.open.
 */
export async function startApi(options: StartApiOptions): Promise<RunningApi> {
  const { factory, clock, reportError } = options;
  const sessions: Store[] = [];
  const closeSessions = async (): Promise<void> => {
    await Promise.all(sessions.map((session) => session.close()));
  };
  const open = async (name: string): Promise<Store> => {
    const session = await factory.open(name);
    sessions.push(session);
    return session;
  };
  try {
    const stateSession = await open('api-state');
    const readers: Store[] = [];
    for (let i = 0; i < (options.readerSessions ?? READER_SESSIONS); i++)
      readers.push(await open(`api-${i}`));
    const state = await openChainState({
      store: stateSession,
      clock,
      reportError: (error) => reportError(error, ''),
    });
    const api = createApi({
      readers,
      state,
      chain: options.chain,
      cursorKey: deriveCursorKey(options.chain.chainId, options.schemaVersion),
      openapi: options.openapi,
      clock,
      reportError,
    });
    const server = await listenApi(api, { host: options.host, port: options.port }).catch(async (error) => {
      await state.close();
      throw error;
    });
    return {
      url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${server.port}`,
      port: server.port,
      notify: state.notify,
      close: async () => {
        await server.close();
        await state.close();
        await closeSessions();
      },
    };
  } catch (error) {
    await closeSessions();
    throw error;
  }
}
