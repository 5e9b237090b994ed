import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBodyBudget } from 'strata-kit/body-budget';
import { closeServer, createHttpServer, listenAt } from 'strata-kit/http/listener';
import { createHolding } from '../holding.ts';
import {
  answerOwnErrors,
  callerOf,
  isJson,
  readBody,
  refusalOf,
  sendBusy,
  sendParts,
  sendText,
} from '../http.ts';
import { answerBody } from './answer.ts';
import { EthereumError } from './errors.ts';
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
  /** Bytes of answers that are in the making or wait for their readers; 128 MB. */
  readonly maxAnswerBytes?: number;
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
/** Of all bodies together until they are answered: JSON takes ten times as much when it is parsed. */
const MAX_BODIES_BYTES = 32_000_000;
const MAX_ANSWERS_BYTES = 128_000_000;
/** Requests that are answered at once; more are told to come back. */
const MAX_REQUESTS = 128;

/** Ethereum's JSON-RPC over HTTP POST, single calls and batches. Errors: port_in_use. */
export async function startEthereumRpc(options: EthereumRpcOptions): Promise<EthereumRpcServer> {
  const { host = '127.0.0.1', allowedHosts = [], onError = () => {} } = options;
  const node = openEthereumNode(options.source);
  const server = createHttpServer({
    // refusalOf decides
    requiresHost: false,
    maxConnections: MAX_CONNECTIONS,
    requestMs: REQUEST_MS,
    silenceMs: IDLE_MS,
  });
  answerOwnErrors(server);
  const bodies = createBodyBudget(MAX_BODIES_BYTES);
  const answers = createBodyBudget(options.maxAnswerBytes ?? MAX_ANSWERS_BYTES);
  let running = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, { host, allowedHosts });
    if (refusal !== undefined) return sendText(response, refusal.status, refusal.text, CLOSE);
    if (request.method !== 'POST')
      return sendText(response, 405, 'method not allowed', { allow: 'POST', ...CLOSE });
    if (!isJson(request)) return sendText(response, 415, 'the body must be application/json', CLOSE);
    const caller = callerOf(request, response);
    const asked = createHolding(bodies);
    const holding = createHolding(answers);
    response.once('close', () => holding.end());
    try {
      const body = await readBody(request, MAX_BODY_BYTES, asked);
      if (body.kind === 'busy') return sendBusy(response);
      if (body.kind === 'too long') return sendText(response, 413, 'content length too large');
      const answer = await answerBody(node, body.text, { onError, caller, holding });
      if (!response.destroyed) sendParts(response, 200, { 'content-type': 'application/json' }, answer ?? []);
    } catch (error) {
      if (!(error instanceof EthereumError)) throw error;
      if (!response.destroyed) sendBusy(response);
    } finally {
      asked.end();
    }
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
  const { url } = await listenAt(server, { host, port: options.port });
  server.on('error', onError);
  return { url, close: () => closeServer(server, CLOSE_MS) };
}

/** Of an answer before the body has been read. */
const CLOSE = { connection: 'close' };
