import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DATA_HEADERS } from '../../core/raw-errors.ts';
import {
  answerOwnErrors,
  callerOf,
  isJson,
  listen,
  readBody,
  refusalOf,
  SERVER_OPTIONS,
  sendText,
} from '../http.ts';
import { answerBody } from './answer.ts';
import { type EthereumSource, openEthereumNode } from './node.ts';

export interface EthereumRpcOptions {
  readonly source: EthereumSource;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names in a Host header that are answered besides loopback names and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Hears of what went wrong outside any answer. */
  readonly onError?: (error: unknown) => void;
}

export interface EthereumRpcServer {
  /** http://host:port */
  readonly url: string;
  /** Answers what has been asked, for a second at most, and closes every connection. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 5_000_000;
const MAX_CONNECTIONS = 256;
/** A request has to be there within this. */
const REQUEST_MS = 10_000;
const IDLE_MS = 60_000;
const CLOSE_MS = 1_000;
/** Requests that are answered at once; more are told to come back. */
const MAX_REQUESTS = 128;

/** Ethereum's JSON-RPC over HTTP POST, single calls and batches. Errors: those of listening (EADDRINUSE and the like). */
export async function startEthereumRpc(options: EthereumRpcOptions): Promise<EthereumRpcServer> {
  const { host = '127.0.0.1', allowedHosts = [], onError = () => {} } = options;
  const node = openEthereumNode(options.source);
  const server = createServer({ ...SERVER_OPTIONS, requestTimeout: REQUEST_MS });
  answerOwnErrors(server);
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  let running = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, { host, allowedHosts });
    if (refusal !== undefined) return sendText(response, refusal.status, refusal.text, CLOSE);
    if (request.method !== 'POST')
      return sendText(response, 405, 'method not allowed', { allow: 'POST', ...CLOSE });
    if (!isJson(request)) return sendText(response, 415, 'the body must be application/json', CLOSE);
    const caller = callerOf(request, response);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === undefined) return sendText(response, 413, 'content length too large');
    const answer = await answerBody(node, body, { onError, caller });
    if (!response.destroyed) end(response, answer ?? '');
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (running >= MAX_REQUESTS) {
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
  const port = await listen(server, host, options.port);
  server.on('error', onError);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const patience = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await closed;
      clearTimeout(patience);
    },
  };
}

/** Of an answer before the body has been read. */
const CLOSE = { connection: 'close' };

function end(response: ServerResponse, body: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(200, {
    ...DATA_HEADERS,
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
