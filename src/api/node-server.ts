import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StrataError } from 'strata-kit/errors';
import { createHttpServer, listenAt } from 'strata-kit/http/listener';
import type { HttpAnswer } from './answer.ts';
import type { Api } from './api.ts';
import { createExchanges, type Exchange, SMALL_BODY_BYTES } from './exchanges.ts';
import {
  type ApiServer,
  CLOSE_GRACE_MS,
  cannotListen,
  DEFAULT_MAX_CONNECTIONS,
  type ServerOptions,
} from './http.ts';
import { createHeadReader, MAX_HEAD_BYTES } from './request-head.ts';

/** The same API over node:http, for where uWebSockets.js has no binary. Parsing is node's strict one. */

/** As uWebSockets.js has them: for a head, for the next request, and for a reader that takes nothing. */
const IDLE_MS = 10_000;
/** How often node looks for heads that are late. */
const CHECK_MS = 1_000;
const ONLY_HTTP_1_1 = 'only HTTP/1.1 is served';
const TOO_LONG = `the request's head is longer than ${MAX_HEAD_BYTES} bytes`;
const MALFORMED = 'the request is malformed';

/** Errors: config_invalid when the address cannot be listened on, and for a shared port. */
export async function listenNode(api: Api, options: ServerOptions): Promise<ApiServer> {
  if (options.sharedPort === true) {
    throw new StrataError('config_invalid', 'node:http cannot share a port between processes');
  }
  const exchanges = createExchanges<ServerResponse>(options, (response) => response.destroy());
  const heads = createHeadReader();
  /** Connections whose end is decided: what else comes over them is not looked at. */
  const ending = new WeakSet<Duplex>();
  /** Requests of a connection whose answers are not written whole. */
  const unanswered = new WeakMap<Duplex, number>();
  let connections = 0;

  const answerTo = (
    request: IncomingMessage,
  ): { answer: HttpAnswer | Promise<HttpAnswer>; mustClose: boolean } => {
    const { rawHeaders, method = '', url = '' } = request;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      heads.field(rawHeaders[i]?.toLowerCase() ?? '', rawHeaders[i + 1] ?? '');
    }
    const head = heads.end(method);
    const problem = request.httpVersion === '1.1' ? head.problem : ONLY_HTTP_1_1;
    const mustClose = head.mustClose || problem !== undefined;
    if (problem !== undefined || exchanges.isOverfull) return { answer: api.refuse(problem), mustClose };
    return { answer: api.handle(method, url, head.acceptEncoding, head.ifNoneMatch), mustClose };
  };

  const writeAnswer = (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    given: HttpAnswer,
  ): void => {
    const isHead = request.method === 'HEAD';
    const isLarge = given.body.length > SMALL_BODY_BYTES && !isHead;
    const answer = isLarge && !exchanges.hold(response, exchange, given.body) ? api.refuse() : given;
    const { status, headers, body } = answer;
    const length = status === 304 ? [] : ['content-length', String(body.length)];
    response.writeHead(status, [...headers.flat(), ...length]);
    response.end(status === 304 || isHead ? undefined : body);
    const { socket } = request;
    if (socket.writableLength === 0) return;
    if (exchange.held === undefined && !exchanges.hold(response, exchange, body)) socket.destroy();
    else socket.setTimeout(IDLE_MS); // until node sets the time for the next request
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (ending.has(socket)) {
      socket.destroy();
      return;
    }
    const exchange: Exchange = { finished: false, held: undefined };
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    exchanges.begin();
    const finish = (): void => exchanges.finish(response, exchange);
    response.once('finish', finish);
    response.once('close', finish);
    response.sendDate = false;
    const { answer, mustClose } = answerTo(request);
    if (mustClose) {
      ending.add(socket);
      response.shouldKeepAlive = false;
    }
    if (!(answer instanceof Promise)) {
      writeAnswer(request, response, exchange, answer);
      return;
    }
    // Api.handle never rejects: every failure is an answer
    void answer.then((late) => {
      if (!exchange.finished) writeAnswer(request, response, exchange, late);
    });
  };

  /** For what node's parser gives no request of. */
  const refuseRaw = (socket: Duplex, problem: string): void => {
    // an answer is due or being written: the client would take these bytes for it, or for a part of it
    const isDue = (unanswered.get(socket) ?? 0) > 0 || socket.writableLength > 0;
    if (!socket.writable || ending.has(socket) || isDue) {
      socket.destroy();
      return;
    }
    ending.add(socket);
    const { headers, body } = api.refuse(problem);
    const lines = [...headers, ['content-length', body.length], ['connection', 'close']].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n`), body]));
    // what the client goes on sending is not read
    socket.once('finish', () => socket.destroy());
  };

  const server = createHttpServer({
    // the check of heads answers in JSON
    requiresHost: false,
    maxConnections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    maxHeaderBytes: MAX_HEAD_BYTES,
    headersMs: IDLE_MS,
    requestMs: IDLE_MS,
    keepAliveMs: IDLE_MS,
    checkMs: CHECK_MS,
  });
  // the bytes are bounded; fields beyond a count would be dropped in silence
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
    });
  });
  server.on('request', onRequest);
  // a client that asks first whether it may send a body is answered before it does
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, socket) => refuseRaw(socket, MALFORMED));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy();
    else refuseRaw(socket, error.code === 'HPE_HEADER_OVERFLOW' ? TOO_LONG : MALFORMED);
  });
  const { port } = await listenAt(server, options).catch((cause: unknown) => {
    throw cannotListen(options, cause);
  });
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await exchanges.untilIdle(graceMs);
    exchanges.stop();
    server.closeAllConnections();
    await closed;
  };
  return {
    port,
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
