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
import type { HttpAnswer } from './answer.ts';
import type { Api } from './api.ts';

/** The only file that knows uWebSockets.js. */

export interface ServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Requests that are worked on or written at once; more are answered 503 `overloaded`. */
  readonly maxInFlight?: number;
}

export interface ApiServer {
  readonly port: number;
  /** Takes no new connections, lets the answers in flight finish for up to `graceMs`, then closes every socket. */
  close(graceMs?: number): Promise<void>;
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT, which the package exports but does not type. */
const EXCLUSIVE_PORT = 1;
const MAX_IN_FLIGHT = 1000;
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
}

/** Errors: config_invalid when the address cannot be listened on (taken, foreign, not permitted). */
export async function listenApi(api: Api, options: ServerOptions): Promise<ApiServer> {
  const app = App();
  const maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
  let inFlight = 0;
  let onIdle: (() => void) | undefined;

  const finish = (exchange: Exchange): void => {
    if (exchange.finished) return;
    exchange.finished = true;
    inFlight -= 1;
    if (inFlight === 0) onIdle?.();
  };

  app.any('/*', (response, request) => {
    const exchange: Exchange = { method: request.getMethod(), finished: false };
    const target = targetOf(request);
    response.onAborted(() => finish(exchange));
    inFlight += 1;
    if (inFlight > maxInFlight) {
      writeAnswer(response, exchange, api.refuse(), finish);
      return;
    }
    const method = exchange.method === 'get' ? 'GET' : exchange.method.toUpperCase();
    const answer = api.handle(
      method,
      target,
      request.getHeader('accept-encoding'),
      request.getHeader('if-none-match'),
    );
    if (!(answer instanceof Promise)) {
      writeAnswer(response, exchange, answer, finish);
      return;
    }
    // Api.handle never rejects: every failure is an answer
    void answer.then((late) => {
      if (!exchange.finished) response.cork(() => writeAnswer(response, exchange, late, finish));
    });
  });

  const socket = await listen(app, options.host, options.port);
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
    app.close();
  };
  return {
    port: us_socket_local_port(socket),
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

function writeAnswer(
  response: HttpResponse,
  exchange: Exchange,
  answer: HttpAnswer,
  finish: (exchange: Exchange) => void,
): void {
  response.writeStatus(STATUS_LINES[answer.status]);
  for (const [name, value] of answer.headers) response.writeHeader(name, value);
  if (answer.status === 304) {
    response.endWithoutBody();
    finish(exchange);
    return;
  }
  if (exchange.method === 'head') {
    // endWithoutBody(length) would leave the connection waiting for these bytes and close it at the next request
    response.writeHeader('content-length', String(answer.body.length));
    response.endWithoutBody();
    finish(exchange);
    return;
  }
  writeBody(response, answer.body, () => finish(exchange));
}

/** Writes what the socket takes and goes on when it drains, so that a slow reader never piles bytes up in memory. */
function writeBody(response: HttpResponse, body: Uint8Array, done: () => void): void {
  const start = response.getWriteOffset();
  const [, hasResponded] = response.tryEnd(body, body.length);
  if (hasResponded) {
    done();
    return;
  }
  response.onWritable((offset) => {
    const [ok, finished] = response.tryEnd(body.subarray(offset - start), body.length);
    if (finished) done();
    return ok;
  });
}

/** The binding takes listen options behind host and port, which its types leave out. */
interface ExclusiveListen {
  listen(
    host: string,
    port: number,
    options: number,
    callback: (socket: us_listen_socket | false) => void,
  ): void;
}

/** Without the exclusive option a second process would share a taken port silently. */
function listen(app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const exclusive = app as TemplatedApp & ExclusiveListen;
    exclusive.listen(host, port, EXCLUSIVE_PORT, (socket) => {
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
