import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createBodyBudget } from '../body-budget.ts';
import { createHolding, type Holding } from '../holding.ts';
import { hostInUrl } from '../url.ts';
import type { Caller } from './caller.ts';
import { closeServer, createHttpServer, listenAt, type Tls } from './listener.ts';
import {
  answerOwnErrors,
  callerOf,
  type EntryCheck,
  readBody,
  refusalOf,
  sendBusy,
  sendText,
} from './serving.ts';

/** Who asks, and what counts the bytes of the answer while it is made and read. */
export interface Exchange {
  readonly caller: Caller;
  readonly holding: Holding;
}

/** Why a request is refused before its body is read. */
export interface EarlyRefusal {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names in a Host header besides loopback names and `host`. `any`: public data, which every page may read. */
  readonly allowedHosts: readonly string[] | 'any';
  /** It answers https. */
  readonly tls?: Tls | undefined;
  readonly maxBodyBytes: number;
  /** Further connections are closed unanswered. */
  readonly maxConnections: number;
  /** Further requests at once are refused. A client may send several without waiting for an answer. */
  readonly maxRequests: number;
  /** Of a request's line and headers. */
  readonly maxHeadBytes: number;
  /** Bytes of answers that are in the making or wait for their readers. */
  readonly maxAnswerBytes: number;
  readonly refuse?: (request: IncomingMessage) => EarlyRefusal | undefined;
  /** `body` is undefined when it is longer than maxBodyBytes. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    body: string | undefined,
    exchange: Exchange,
  ) => Promise<void>;
  /** Hears of what went wrong outside any answer, such as a broken socket. */
  readonly onError: (error: unknown) => void;
}

export interface JsonServer {
  /** host:port */
  readonly address: string;
  readonly server: Server;
  /** Why a request is refused by its headers. */
  refusalOf(request: IncomingMessage): EarlyRefusal | undefined;
  /** Answers what has been asked, for a second at most, and closes every connection; `onLate` at the end of the second. */
  close(onLate?: () => void): Promise<void>;
}

/** A request has to be there within this. */
const REQUEST_MS = 10_000;
/** A connection on which nothing moves is closed after this: longer than any call takes. */
const IDLE_MS = 60_000;
const CLOSE_MS = 1_000;
/** Of all bodies together until they are answered: JSON takes ten times as much when it is parsed. */
const MAX_BODIES_BYTES = 32_000_000;
/** Of an answer before the body has been read. */
const CLOSE = { connection: 'close' };

/** An HTTP server with bounds on everything that a client can make it hold. Errors: port_in_use. */
export async function startJsonServer(options: JsonServerOptions): Promise<JsonServer> {
  const { host, allowedHosts, tls, onError } = options;
  const entry: EntryCheck | undefined = allowedHosts === 'any' ? undefined : { host, allowedHosts };
  const limits = {
    // refusalOf decides
    requiresHost: false,
    maxConnections: options.maxConnections,
    maxHeaderBytes: options.maxHeadBytes,
    requestMs: REQUEST_MS,
    silenceMs: IDLE_MS,
  };
  const server = createHttpServer(limits, tls);
  answerOwnErrors(server);
  const bodies = createBodyBudget(MAX_BODIES_BYTES);
  const answers = createBodyBudget(options.maxAnswerBytes);
  let running = 0;

  const refusal = (request: IncomingMessage): EarlyRefusal | undefined =>
    entry === undefined ? undefined : refusalOf(request, entry);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = refusal(request) ?? options.refuse?.(request);
    if (refused !== undefined) {
      sendText(response, refused.status, refused.text, { ...refused.headers, ...CLOSE });
      return;
    }
    const caller = callerOf(request, response);
    const asked = createHolding(bodies);
    const holding = createHolding(answers);
    response.once('close', () => holding.end());
    try {
      const body = await readBody(request, options.maxBodyBytes, asked);
      if (body.kind === 'busy') return sendBusy(response);
      const text = body.kind === 'text' ? body.text : undefined;
      await options.answer(request, response, text, { caller, holding });
    } finally {
      asked.end();
    }
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (running >= options.maxRequests) {
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
  const { port } = await listenAt(server, { host, port: options.port });
  server.on('error', onError);
  return {
    address: hostInUrl(host, port),
    server,
    refusalOf: refusal,
    close: (onLate) => closeServer(server, CLOSE_MS, onLate),
  };
}
