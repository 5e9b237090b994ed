import { StrataError } from 'strata-kit/errors';
import type { ListenAddress } from 'strata-kit/listen-address';
import type { HttpKind } from '../core/http-kind.ts';
import type { Api } from './api.ts';

/** The port between the API and the sockets: both implementations answer alike, and no other file knows them. */

export interface ServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** `uws`, uWebSockets.js, by default; `node` is node:http. */
  readonly kind?: HttpKind;
  /** Lets other processes that ask for it too listen on the same port; the system spreads connections over them. */
  readonly sharedPort?: boolean;
  /** Requests that are worked on or written at once; more are answered 503 `overloaded`. */
  readonly maxInFlight?: number;
  /** Open at once; more are closed as they come. */
  readonly maxConnections?: number;
  /** Bytes of bodies that clients have not yet taken; a large body beyond that is a 503 `overloaded`. */
  readonly maxHeldBytes?: number;
  /** What a client has for any answer, beside what its bytes take at the lowest rate; then it is closed. */
  readonly readGraceMs?: number;
  readonly minReadBytesPerMs?: number;
}

export interface ApiServer {
  readonly port: number;
  readonly connections: number;
  /** See ServerOptions.maxHeldBytes. */
  readonly heldBytes: number;
  /** Takes no new connections, lets the answers in flight finish for up to `graceMs`, then closes every socket. */
  close(graceMs?: number): Promise<void>;
}

export const DEFAULT_MAX_CONNECTIONS = 10_000;
export const CLOSE_GRACE_MS = 2000;

/**
 * Errors: config_invalid when the address cannot be listened on (taken, foreign, not permitted), where uWebSockets.js
 * has no binary for this Node, and for a shared port of node:http.
 */
export async function listenApi(api: Api, options: ServerOptions): Promise<ApiServer> {
  if (options.kind === 'node') {
    const { listenNode } = await import('./node-server.ts');
    return listenNode(api, options);
  }
  const { listenUws } = await import('./server.ts').catch((cause: unknown) => {
    throw noBinary(cause);
  });
  return listenUws(api, options);
}

function noBinary(cause: unknown): StrataError {
  const { platform, arch, version } = process;
  return new StrataError(
    'config_invalid',
    `uWebSockets.js has no binary for Node ${version} on ${platform} ${arch}: give --http node, or use Node 20 or 22`,
    { cause },
  );
}

export function cannotListen({ host, port }: ListenAddress, cause?: unknown): StrataError {
  return new StrataError(
    'config_invalid',
    `cannot listen on ${host}:${port}: the address is in use or not this machine's`,
    cause === undefined ? {} : { cause },
  );
}
