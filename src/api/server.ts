import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { StrataError } from '../core/errors.ts';
import { type HttpAnswer, headerBlock } from './answer.ts';
import type { Api } from './api.ts';
import { createBodyBudget } from './body-budget.ts';

/** The only file that knows uWebSockets.js. */

export interface ServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
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

/** LIBUS_LISTEN_EXCLUSIVE_PORT, which the package exports but does not type; without it the port may be shared. */
const EXCLUSIVE_PORT = 1;
const SHARED_PORT = 0;
const DEFAULT_MAX_IN_FLIGHT = 1000;
const DEFAULT_MAX_CONNECTIONS = 10_000;
const DEFAULT_MAX_HELD_BYTES = 256_000_000;
const DEFAULT_READ_GRACE_MS = 30_000;
const MIN_READ_BYTES_PER_MS = 64;
const SWEEP_MS = 1000;
/** A socket takes as much at once; only larger bodies are asked for room before their first byte. */
const SMALL_BODY_BYTES = 64 * 1024;
const CLOSE_GRACE_MS = 2000;
const STATUS_LINES: Readonly<Record<HttpAnswer['status'], string>> = {
  200: '200 OK',
  304: '304 Not Modified',
  400: '400 Bad Request',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

/** One request's life: from the callback until its answer is written or its client is gone. */
interface Exchange {
  readonly method: string;
  finished: boolean;
  /** Its answer came in a later turn of the event loop. */
  late: boolean;
  /** The body that is held for it while its client reads. */
  held: Uint8Array | undefined;
}

/** Errors: config_invalid when the address cannot be listened on (taken, foreign, not permitted). */
export async function listenApi(api: Api, options: ServerOptions): Promise<ApiServer> {
  const app = App();
  const {
    maxInFlight = DEFAULT_MAX_IN_FLIGHT,
    maxConnections = DEFAULT_MAX_CONNECTIONS,
    readGraceMs = DEFAULT_READ_GRACE_MS,
    minReadBytesPerMs = MIN_READ_BYTES_PER_MS,
  } = options;
  const budget = createBodyBudget(options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES);
  /** Clients that read an answer, with the time by which they must have it. */
  const reading = new Map<HttpResponse, number>();
  let connections = 0;
  let inFlight = 0;
  let onIdle: (() => void) | undefined;

  const finish = (response: HttpResponse, exchange: Exchange): void => {
    if (exchange.finished) return;
    exchange.finished = true;
    if (exchange.held !== undefined) {
      budget.release(exchange.held);
      reading.delete(response);
    }
    inFlight -= 1;
    if (inFlight === 0) onIdle?.();
  };

  const hold = (response: HttpResponse, exchange: Exchange, body: Uint8Array): boolean => {
    if (!budget.hold(body)) return false;
    exchange.held = body;
    reading.set(response, performance.now() + readGraceMs + body.length / minReadBytesPerMs);
    return true;
  };

  const writeBody = (response: HttpResponse, exchange: Exchange, body: Uint8Array): void => {
    const start = response.getWriteOffset();
    const [, hasResponded] = response.tryEnd(body, body.length);
    if (hasResponded) {
      finish(response, exchange);
      return;
    }
    if (exchange.held === undefined && !hold(response, exchange, body)) {
      // its head is out, so that no other answer can take its place
      response.close();
      finish(response, exchange);
      return;
    }
    // an answer that is not written at once outlives this turn, in which alone a client cannot leave
    if (!exchange.late) response.onAborted(() => finish(response, exchange));
    // what the socket takes, and on when it drains: the bytes stay in one place, whatever the number of readers
    response.onWritable((offset) => {
      const [ok, finished] = response.tryEnd(body.subarray(offset - start), body.length);
      if (finished) finish(response, exchange);
      return ok;
    });
  };

  const writeAnswer = (response: HttpResponse, exchange: Exchange, given: HttpAnswer): void => {
    const isLarge = given.body.length > SMALL_BODY_BYTES && exchange.method !== 'head';
    const answer = isLarge && !hold(response, exchange, given.body) ? api.refuse() : given;
    response.writeStatus(STATUS_LINES[answer.status]);
    const [first] = answer.headers;
    if (first !== undefined) {
      response.writeHeader(first[0], answer.headerBlock ?? headerBlock(answer.headers));
    }
    if (answer.status === 304) {
      response.endWithoutBody();
      finish(response, exchange);
    } else if (exchange.method === 'head') {
      // endWithoutBody(length) would leave the connection waiting for these bytes and close it at the next request
      response.writeHeader('content-length', String(answer.body.length));
      response.endWithoutBody();
      finish(response, exchange);
    } else {
      writeBody(response, exchange, answer.body);
    }
  };

  /** change: 1 for a connection that opens, −1 for one that closes. */
  const countConnection = (response: HttpResponse, change: number): void => {
    connections += change;
    if (change > 0 && connections > maxConnections) response.close();
  };
  app.filter(countConnection);

  app.any('/*', (response, request) => {
    const exchange: Exchange = { method: request.getMethod(), finished: false, late: false, held: undefined };
    const target = targetOf(request);
    inFlight += 1;
    if (inFlight > maxInFlight) {
      writeAnswer(response, exchange, api.refuse());
      return;
    }
    const answer = api.handle(
      exchange.method === 'get' ? 'GET' : exchange.method.toUpperCase(),
      target,
      request.getHeader('accept-encoding'),
      request.getHeader('if-none-match'),
    );
    if (!(answer instanceof Promise)) {
      writeAnswer(response, exchange, answer);
      return;
    }
    exchange.late = true;
    response.onAborted(() => finish(response, exchange));
    // Api.handle never rejects: every failure is an answer
    void answer.then((late) => {
      if (!exchange.finished) response.cork(() => writeAnswer(response, exchange, late));
    });
  });

  const socket = await listen(app, options);
  const sweep = setInterval(() => {
    const nowMs = performance.now();
    for (const [response, endMs] of reading) if (nowMs > endMs) response.close();
  }, SWEEP_MS);
  sweep.unref();
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    us_listen_socket_close(socket);
    if (inFlight > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    clearInterval(sweep);
    app.close();
  };
  return {
    port: us_socket_local_port(socket),
    get connections() {
      return connections;
    },
    get heldBytes() {
      return budget.heldBytes;
    },
    close: (graceMs = CLOSE_GRACE_MS) => {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/** Copied at once: the request object dies with the callback. */
function targetOf(request: HttpRequest): string {
  // undefined where the request line has no `?`, whatever the types say
  const query: string | undefined = request.getQuery();
  return query === undefined ? request.getUrl() : `${request.getUrl()}?${query}`;
}

/** The binding takes listen options behind host and port, which its types leave out. */
interface OptionalListen {
  listen(
    host: string,
    port: number,
    options: number,
    callback: (socket: us_listen_socket | false) => void,
  ): void;
}

/** Without the exclusive option a second process would share a taken port silently. */
function listen(
  app: TemplatedApp,
  { host, port, sharedPort = false }: ServerOptions,
): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const withOptions = app as TemplatedApp & OptionalListen;
    withOptions.listen(host, port, sharedPort ? SHARED_PORT : EXCLUSIVE_PORT, (socket) => {
      if (socket !== false) return resolve(socket);
      app.close();
      reject(
        new StrataError(
          'config_invalid',
          `cannot listen on ${host}:${port}: the address is in use or not this machine's`,
        ),
      );
    });
  });
}
