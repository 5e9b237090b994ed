import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { type HttpAnswer, headerBlock } from './answer.ts';
import type { Api } from './api.ts';
import { createExchanges, type Exchange, SMALL_BODY_BYTES } from './exchanges.ts';
import {
  type ApiServer,
  CLOSE_GRACE_MS,
  cannotListen,
  DEFAULT_MAX_CONNECTIONS,
  type ServerOptions,
} from './http.ts';
import { createHeadReader } from './request-head.ts';

/** The only file that knows uWebSockets.js. */

/** LIBUS_LISTEN_EXCLUSIVE_PORT, which the package exports but does not type; without it the port may be shared. */
const EXCLUSIVE_PORT = 1;
const SHARED_PORT = 0;
const STATUS_LINES: Readonly<Record<HttpAnswer['status'], string>> = {
  200: '200 OK',
  304: '304 Not Modified',
  400: '400 Bad Request',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

/** What of a request outlives its callback. */
interface UwsExchange extends Exchange {
  readonly isHead: boolean;
  /** Its answer came in a later turn of the event loop. */
  late: boolean;
  /** The connection ends with the answer. */
  readonly mustClose: boolean;
}

/** Errors: config_invalid when the address cannot be listened on. */
export async function listenUws(api: Api, options: ServerOptions): Promise<ApiServer> {
  const app = App();
  const { maxConnections = DEFAULT_MAX_CONNECTIONS } = options;
  const exchanges = createExchanges<HttpResponse>(options, (response) => response.close());
  const { finish, hold } = exchanges;
  const heads = createHeadReader();
  let connections = 0;

  const writeBody = (response: HttpResponse, exchange: UwsExchange, body: Uint8Array): void => {
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

  const writeAnswer = (response: HttpResponse, exchange: UwsExchange, given: HttpAnswer): void => {
    const isLarge = given.body.length > SMALL_BODY_BYTES && !exchange.isHead;
    const answer = isLarge && !hold(response, exchange, given.body) ? api.refuse() : given;
    response.writeStatus(STATUS_LINES[answer.status]);
    const [first] = answer.headers;
    if (first !== undefined) {
      response.writeHeader(first[0], answer.headerBlock ?? headerBlock(answer.headers));
    }
    if (answer.status === 304) {
      response.endWithoutBody();
      finish(response, exchange);
    } else if (exchange.isHead) {
      // with a length it leaves the connection waiting for these bytes and closes it at the next request
      if (exchange.mustClose) response.endWithoutBody(answer.body.length, true);
      else response.writeHeader('content-length', String(answer.body.length)).endWithoutBody();
      finish(response, exchange);
    } else if (exchange.mustClose) {
      // an error, so that it is small and the socket takes it at once
      response.end(answer.body, true);
      finish(response, exchange);
    } else {
      writeBody(response, exchange, answer.body);
    }
  };

  /** In a later turn, unless the client leaves. uWebSockets closes a connection whose next request comes before that. */
  const writeLate = (response: HttpResponse, exchange: UwsExchange, answer: Promise<HttpAnswer>): void => {
    exchange.late = true;
    response.onAborted(() => finish(response, exchange));
    // Api.handle never rejects: every failure is an answer
    void answer.then((late) => {
      if (!exchange.finished) response.cork(() => writeAnswer(response, exchange, late));
    });
  };

  /** change: 1 for a connection that opens, −1 for one that closes. */
  const countConnection = (response: HttpResponse, change: number): void => {
    connections += change;
    if (change > 0 && connections > maxConnections) response.close();
  };
  app.filter(countConnection);

  app.any('/*', (response, request) => {
    const method = request.getCaseSensitiveMethod();
    request.forEach(heads.field);
    const { problem, mustClose, acceptEncoding, ifNoneMatch } = heads.end(method);
    const exchange: UwsExchange = {
      finished: false,
      held: undefined,
      isHead: method === 'HEAD',
      late: false,
      mustClose,
    };
    exchanges.begin();
    const answer =
      problem !== undefined || exchanges.isOverfull
        ? api.refuse(problem)
        : api.handle(method, targetOf(request), acceptEncoding, ifNoneMatch);
    if (mustClose) writeLate(response, exchange, nextTurn(answer));
    else if (answer instanceof Promise) writeLate(response, exchange, answer);
    else writeAnswer(response, exchange, answer);
  });

  const socket = await listen(app, options);
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    us_listen_socket_close(socket);
    await exchanges.untilIdle(graceMs);
    exchanges.stop();
    app.close();
  };
  return {
    port: us_socket_local_port(socket),
    get connections() {
      return connections;
    },
    get heldBytes() {
      return exchanges.heldBytes;
    },
    close: (graceMs = CLOSE_GRACE_MS) => {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/**
 * What came with the request in one piece is read before that, and a connection with an answer under way that sends more
 * is closed: nothing after a doubtful request is ever taken for a request.
 */
function nextTurn<T>(value: T | Promise<T>): Promise<T> {
  return new Promise((resolve) => setImmediate(() => resolve(value)));
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
function listen(app: TemplatedApp, options: ServerOptions): Promise<us_listen_socket> {
  const { host, port, sharedPort = false } = options;
  return new Promise((resolve, reject) => {
    const withOptions = app as TemplatedApp & OptionalListen;
    withOptions.listen(host, port, sharedPort ? SHARED_PORT : EXCLUSIVE_PORT, (socket) => {
      if (socket !== false) return resolve(socket);
      app.close();
      reject(cannotListen(options));
    });
  });
}
