import type { RequestListener, Server } from 'node:http';
import type { Logger } from 'pino';
import { clientKey } from 'strata-kit/client-key';
import { createConnectionBounds } from 'strata-kit/http/connections';
import { createHttpServer } from 'strata-kit/http/listener';
import { createThrottledWarning } from 'strata-kit/throttled-warning';

export interface Connections {
  readonly most: number;
  /** Of one address. Behind a proxy all come from its address, so that it is the proxy's to bound. */
  readonly ofAddress: number;
  /** From a connection's first moment, or the first byte of a further request, to the end of its head. */
  readonly headMs: number;
}

export const CONNECTIONS: Connections = { most: 2_000, ofAddress: 256, headMs: 10_000 };

/** To the last byte of its body. */
const REQUEST_MS = 30_000;
/** How often Node looks for heads and requests that are late. */
const LATE_CHECK_MS = 2_000;
/** Between two requests, where there is room. */
const KEEP_ALIVE_MS = 65_000;
/** Without a byte in either direction while an answer is made or read; longer than any answer takes. */
const SILENCE_MS = 60_000;

/** Makes the app's servers, one for each address that it listens at; they share the bounds. */
export function createServers(
  connections: Connections,
  trustedProxies: number,
  log: Logger,
): (listener: RequestListener) => Server {
  const full = createThrottledWarning(log, 'too many connections');
  const reason = 'those that were idle longest are closed';
  const { most, ofAddress, headMs } = connections;
  const bound = createConnectionBounds({
    most,
    ofClient: trustedProxies > 0 ? undefined : { most: ofAddress, keyOf: clientKey },
    slowMs: REQUEST_MS,
    onFull: () => full(reason),
  });
  return (listener) => {
    const server = createHttpServer({
      headersMs: headMs,
      requestMs: REQUEST_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      silenceMs: SILENCE_MS,
      checkMs: Math.min(LATE_CHECK_MS, headMs),
    });
    server.on('request', listener);
    bound(server);
    return server;
  };
}
