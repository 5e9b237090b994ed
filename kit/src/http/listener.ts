import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type ErrorCode, StrataError } from '../errors.ts';
import type { ListenAddress } from '../listen-address.ts';
import { hostInUrl } from '../url.ts';

/** How every node:http server here is bounded, listens and ends. Each server names its own limits. */

export interface ListenerLimits {
  /** Further connections are dropped. */
  readonly maxConnections?: number | undefined;
  readonly maxHeaderBytes?: number | undefined;
  /** For a request's headers to arrive; also of a connection that has sent nothing. */
  readonly headersMs?: number | undefined;
  /** For a whole request to arrive. */
  readonly requestMs?: number | undefined;
  /** Between two requests of a connection. */
  readonly keepAliveMs?: number | undefined;
  /** Without a byte in either direction; the connection is closed then. */
  readonly silenceMs?: number | undefined;
  /** How often node looks for late headers and requests. */
  readonly checkMs?: number | undefined;
  /** False: the handler decides about a request without Host. Otherwise node refuses it. */
  readonly requiresHost?: boolean | undefined;
}

/** PEM texts. */
export interface Tls {
  readonly key: string;
  readonly cert: string;
}

/** A server that does not listen yet. Without a limit node's own applies. */
export function createHttpServer(limits: ListenerLimits, tls?: Tls): Server {
  const { maxConnections, maxHeaderBytes, headersMs, requestMs, keepAliveMs, silenceMs, checkMs } = limits;
  const options = {
    requireHostHeader: limits.requiresHost ?? true,
    ...(maxHeaderBytes === undefined ? {} : { maxHeaderSize: maxHeaderBytes }),
    ...(headersMs === undefined ? {} : { headersTimeout: headersMs }),
    ...(requestMs === undefined ? {} : { requestTimeout: requestMs }),
    ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
    ...(checkMs === undefined ? {} : { connectionsCheckingInterval: checkMs }),
  };
  const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  if (silenceMs !== undefined) server.setTimeout(silenceMs);
  return server;
}

export interface Listening {
  /** The one that the system gave, for port 0. */
  readonly port: number;
  /** http://host:port, or https:// */
  readonly url: string;
}

/** How an address that cannot be listened on is reported. */
export interface ListenRefusal {
  /** port_in_use. */
  readonly code?: ErrorCode;
  /** The setting to name. */
  readonly setting?: string;
}

/** Errors: ListenRefusal.code where the address is taken, foreign or not permitted. */
export function listenAt(
  server: Server,
  { host, port }: ListenAddress,
  refusal: ListenRefusal = {},
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const onError = (error: unknown): void => reject(listeningError(error, refusal));
    server.once('error', onError);
    // a process of a cluster gets its own socket, so that a taken port is an error there too
    server.listen({ port, host, exclusive: true }, () => {
      server.removeListener('error', onError);
      const { port: taken } = server.address() as AddressInfo;
      const scheme = 'setSecureContext' in server ? 'https' : 'http';
      resolve({ port: taken, url: `${scheme}://${hostInUrl(host, taken)}` });
    });
  });
}

/** The coded error of an address that cannot be listened on; any other error as it is. */
export function listeningError(
  error: unknown,
  { code = 'port_in_use', setting }: ListenRefusal = {},
): unknown {
  const system = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
    readonly hostname?: string;
  };
  if (system.syscall !== 'listen' && system.syscall !== 'getaddrinfo') return error;
  const where = system.hostname ?? `${system.address}:${system.port}`;
  const what = setting === undefined ? 'cannot' : `${setting} cannot`;
  return new StrataError(code, `${what} listen at ${where}: ${system.code}`, { cause: error });
}

/**
 * Takes no more connections and lets the answers in hand end. After `graceMs` it calls `onLate` and closes every
 * connection.
 */
export async function closeServer(server: Server, graceMs: number, onLate?: () => void): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const late = setTimeout(() => {
    onLate?.();
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearTimeout(late);
}
