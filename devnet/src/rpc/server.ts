import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createBodyBudget } from 'strata-kit/body-budget';
import { WebSocketServer } from 'ws';
import type { Chain } from '../comet/types.ts';
import { createHolding } from '../holding.ts';
import {
  answerOwnErrors,
  callerOf,
  clientOf,
  isJson,
  listen,
  readBody,
  refusalOf,
  SERVER_OPTIONS,
  sendBusy,
  sendParts,
  sendText,
} from '../http.ts';
import { answerHttp, type RpcAnswer } from './calls.ts';
import { openNode } from './node.ts';
import { createSockets, SOCKET_LIMITS, type SocketLimits } from './websocket.ts';

export interface RpcOptions {
  readonly chain: Chain;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names in a Host header that are answered besides loopback names and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Hears of what went wrong outside any answer, such as a broken socket. */
  readonly onError?: (error: unknown) => void;
  /** Of printed blocks that are kept; 64 MB. */
  readonly cacheBytes?: number;
  /** How long broadcast_tx_commit waits; 10 s. */
  readonly commitTimeoutMs?: number;
  readonly sockets?: SocketLimits;
  /** Further connections are closed unanswered; 900. */
  readonly maxConnections?: number;
  /** Further websockets are refused; 200. */
  readonly maxSockets?: number;
  /** Further requests at once are refused; 1,000. */
  readonly maxRequests?: number;
  /** Bytes of answers over HTTP that are in the making or wait for their readers; 128 MB. */
  readonly maxAnswerBytes?: number;
}

export interface RpcServer {
  /** http://host:port */
  readonly url: string;
  /** Answers what has been asked, for a second at most, and closes every connection. */
  close(): Promise<void>;
}

/** CometBFT's rpc.max_body_bytes and max_open_connections. */
const MAX_BODY_BYTES = 1_000_000;
const MAX_CONNECTIONS = 900;
/** CometBFT takes 1 MiB. That times 900 is more than slow clients may make this node hold. */
const MAX_HEADER_BYTES = 131_072;
/** A message that has not come as a whole is in memory, and no budget counts it. */
const MAX_SOCKETS = 200;
const MAX_PIECES = 4_096;
/** Requests that are answered at once; more are refused. Clients may send several without waiting for an answer. */
const MAX_REQUESTS = 1_000;
/** A request has to be there within this. */
const REQUEST_MS = 10_000;
/** A connection on which nothing moves is closed after this: longer than any call takes. */
const IDLE_MS = 60_000;
const CLOSE_MS = 1_000;
/** Of all bodies together until they are answered: JSON takes ten times as much when it is parsed. */
const MAX_BODIES_BYTES = 32_000_000;
const MAX_ANSWERS_BYTES = 128_000_000;

/**
 * CometBFT 0.38's JSON-RPC over a chain: POST with one call or a batch of 10 at most, calls by URL, and /websocket.
 * The chain stays the caller's. Errors: those of listening (EADDRINUSE and the like).
 */
export async function startRpc(options: RpcOptions): Promise<RpcServer> {
  const { chain, host = '127.0.0.1', allowedHosts = [], onError = () => {} } = options;
  const door = { host, allowedHosts };
  const server = createServer({
    ...SERVER_OPTIONS,
    requestTimeout: REQUEST_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  answerOwnErrors(server);
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  const port = await listen(server, host, options.port);
  server.on('error', onError);
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;

  const { cacheBytes, commitTimeoutMs } = options;
  const node = openNode({
    chain,
    listenAddress: `tcp://${address}`,
    onError,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
    ...(commitTimeoutMs === undefined ? {} : { commitTimeoutMs }),
  });
  const bodies = createBodyBudget(MAX_BODIES_BYTES);
  const answers = createBodyBudget(options.maxAnswerBytes ?? MAX_ANSWERS_BYTES);
  const sockets = createSockets(node, options.sockets ?? SOCKET_LIMITS);
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    maxFragments: MAX_PIECES,
    maxBufferedChunks: MAX_PIECES,
  });
  let running = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, door);
    if (refusal !== undefined) return sendText(response, refusal.status, refusal.text, CLOSE);
    const caller = callerOf(request, response);
    const asked = createHolding(bodies);
    const holding = createHolding(answers);
    response.once('close', () => holding.end());
    try {
      const body = await readBody(request, MAX_BODY_BYTES, asked);
      if (body.kind === 'busy') return sendBusy(response);
      const text = body.kind === 'text' ? body.text : undefined;
      if (text !== '' && !isJson(request))
        return sendText(response, 415, 'the body must be application/json', CLOSE);
      const answer = await answerHttp(node, request.url ?? '/', text, { caller, holding });
      if (!response.destroyed) send(response, answer);
    } finally {
      asked.end();
    }
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (running >= (options.maxRequests ?? MAX_REQUESTS)) {
      sendText(response, 503, 'too many requests', { 'retry-after': '1', ...CLOSE });
      return;
    }
    running += 1;
    serve(request, response)
      .catch((error: unknown) => {
        onError(error);
        response.destroy();
      })
      .finally(() => {
        running -= 1;
      });
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', onError);
    if (!/^\/websocket(\?|$)/.test(request.url ?? '')) {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    if (refusalOf(request, door) !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    if (upgrades.clients.size >= (options.maxSockets ?? MAX_SOCKETS)) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    const client = clientOf(request.socket);
    upgrades.handleUpgrade(request, socket, head, (accepted) => sockets.accept(accepted, client));
  });

  return {
    url: `http://${address}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      node.close();
      sockets.close();
      const patience = setTimeout(() => {
        server.closeAllConnections();
        for (const client of upgrades.clients) client.terminate();
      }, CLOSE_MS);
      await closed;
      clearTimeout(patience);
    },
  };
}

/** Of an answer before the body has been read. */
const CLOSE = { connection: 'close' };

function send(response: ServerResponse, { status, contentType, parts }: RpcAnswer): void {
  sendParts(response, status, contentType === undefined ? {} : { 'content-type': contentType }, parts);
}
