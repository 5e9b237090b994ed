import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { type Exchange, startJsonServer } from '../http/json-server.ts';
import { clientOf, isJson, sendParts, sendText } from '../http/serving.ts';
import { answerHttp, type RpcAnswer, type RpcRequest } from './calls.ts';
import type { RpcNode } from './node.ts';
import { createSockets, SOCKET_LIMITS, type SocketLimits } from './websocket.ts';

/** Each bound has a default. */
export interface RpcLimits {
  readonly sockets?: SocketLimits | undefined;
  /** Further connections are closed unanswered; 900. */
  readonly maxConnections?: number | undefined;
  /** Further websockets are refused; 200. */
  readonly maxSockets?: number | undefined;
  /** Further requests at once are refused; 1,000. */
  readonly maxRequests?: number | undefined;
  /** Bytes of answers over HTTP that are in the making or wait for their readers; 128 MB. */
  readonly maxAnswerBytes?: number | undefined;
}

export interface RpcServerOptions extends RpcLimits {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names in a Host header besides loopback names and `host`. `any`: public data, which every page may read. */
  readonly allowedHosts: readonly string[] | 'any';
  /** PEM texts: it answers https. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** `address` is host:port. */
  readonly node: (address: string) => RpcNode;
  /** In place of `answerHttp`; undefined drops the connection. */
  readonly answer?: (
    node: RpcNode,
    request: RpcRequest,
    exchange: Exchange,
  ) => Promise<RpcAnswer | undefined>;
}

export interface RpcServer {
  /** http://host:port, or https:// */
  readonly url: string;
  /** Answers what has been asked, for a second at most, and closes every connection. */
  close(): Promise<void>;
}

/** CometBFT's rpc.max_body_bytes and max_open_connections. */
const MAX_BODY_BYTES = 1_000_000;
const MAX_CONNECTIONS = 900;
/** CometBFT takes 1 MiB. That times 900 is more than slow clients may make this node hold. */
const MAX_HEAD_BYTES = 131_072;
/** A message that has not come as a whole is in memory, and no budget counts it. */
const MAX_SOCKETS = 200;
const MAX_PIECES = 4_096;
const MAX_REQUESTS = 1_000;
const MAX_ANSWERS_BYTES = 128_000_000;

/**
 * CometBFT 0.38's JSON-RPC over a node: POST with one call or a batch of 10 at most, calls by URL, and /websocket.
 * Errors: those of listening (EADDRINUSE and the like).
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { answer = answerHttp, tls } = options;
  let node: RpcNode | undefined;
  const onError = (error: unknown): void => node?.onError(error);
  const http = await startJsonServer({
    host: options.host,
    port: options.port,
    allowedHosts: options.allowedHosts,
    tls,
    maxBodyBytes: MAX_BODY_BYTES,
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    maxRequests: options.maxRequests ?? MAX_REQUESTS,
    maxHeadBytes: MAX_HEAD_BYTES,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWERS_BYTES,
    onError,
    answer: (request, response, body, exchange) => respond(request, response, body, exchange),
  });
  const served = options.node(http.address);
  node = served;
  const sockets = createSockets(served, options.sockets ?? SOCKET_LIMITS);
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    maxFragments: MAX_PIECES,
    maxBufferedChunks: MAX_PIECES,
  });

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    body: string | undefined,
    exchange: Exchange,
  ): Promise<void> {
    if (options.allowedHosts !== 'any' && body !== '' && !isJson(request))
      return sendText(response, 415, 'the body must be application/json', { connection: 'close' });
    const { method = 'GET', url = '/', headers } = request;
    const answered = await answer(served, { method, url, body, headers }, exchange);
    if (answered === undefined) response.destroy();
    else if (!response.destroyed) send(response, answered);
  }

  http.server.on('upgrade', (request, socket, head) => {
    socket.on('error', onError);
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    if (!/^\/websocket(\?|$)/.test(request.url ?? '')) return refuse('404 Not Found');
    if (http.refusalOf(request) !== undefined) return refuse('403 Forbidden');
    if (upgrades.clients.size >= (options.maxSockets ?? MAX_SOCKETS))
      return refuse('503 Service Unavailable');
    const client = clientOf(request.socket);
    upgrades.handleUpgrade(request, socket, head, (accepted) => sockets.accept(accepted, client));
  });

  return {
    url: `${tls === undefined ? 'http' : 'https'}://${http.address}`,
    close: () => {
      const closed = http.close(() => {
        for (const client of upgrades.clients) client.terminate();
      });
      served.close();
      sockets.close();
      return closed;
    },
  };
}

function send(response: ServerResponse, answer: RpcAnswer): void {
  const { status, contentType, parts, headers, breakAfterBytes } = answer;
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  if (breakAfterBytes === undefined) {
    sendParts(response, status, { ...type, ...headers }, parts);
    return;
  }
  const body = Buffer.concat(parts);
  response.writeHead(status, { ...type, 'content-length': body.length, ...headers });
  response.write(body.subarray(0, breakAfterBytes), () => response.destroy());
}
