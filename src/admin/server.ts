import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from 'strata-kit/errors';
import { closeServer, createHttpServer, listenAt } from 'strata-kit/http/listener';
import type { ListenAddress } from 'strata-kit/listen-address';
import { answerRawErrors, DATA_HEADERS } from 'strata-kit/raw-errors';
import type { Readiness } from './readiness.ts';

/** Answers orchestrators and Prometheus; never asks the store, so that it answers while that does not. */
export interface AdminServer {
  /** http://host:port */
  readonly url: string;
  close(): Promise<void>;
}

export interface AdminSources {
  readonly readiness: () => Readiness;
  readonly metrics: {
    readonly contentType: string;
    metrics(): Promise<string>;
  };
  readonly onError: (error: unknown) => void;
}

/** An orchestrator and a few scrapers; a slow one holds a connection and one text, no more. */
export interface AdminLimits {
  /** Further connections are dropped. */
  readonly maxConnections: number;
  /** For a request's headers to come in whole. */
  readonly headersMs: number;
  /** Without progress while an answer is awaited or written. */
  readonly idleMs: number;
  /** Between two requests; longer than the pause of any scraper, or it meets a connection that is just being closed. */
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
}

export const ADMIN_LIMITS: AdminLimits = {
  maxConnections: 64,
  headersMs: 5_000,
  idleMs: 15_000,
  keepAliveMs: 65_000,
  maxHeaderBytes: 8_192,
};

interface AdminAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly allow?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Errors: config_invalid when the address cannot be listened on. */
export async function listenAdmin(
  sources: AdminSources,
  address: ListenAddress,
  limits: AdminLimits = ADMIN_LIMITS,
): Promise<AdminServer> {
  const renderMetrics = sharedRendering(() => sources.metrics.metrics());

  const answerTo = async (request: IncomingMessage): Promise<AdminAnswer> => {
    if (!METHODS.has(request.method ?? '')) {
      return {
        ...errorAnswer(405, 'method_not_allowed', 'only GET and HEAD are served'),
        allow: 'GET, HEAD',
      };
    }
    switch (request.url?.split('?', 1)[0]) {
      case '/healthz':
        return jsonAnswer(200, { status: 'alive' });
      case '/readyz': {
        const readiness = sources.readiness();
        return jsonAnswer(readiness.ready ? 200 : 503, readiness);
      }
      case '/metrics':
        return { status: 200, contentType: sources.metrics.contentType, body: await renderMetrics() };
      default:
        return errorAnswer(404, 'not_found', 'no such path: /healthz, /readyz and /metrics are served');
    }
  };

  const server = createHttpServer({
    maxConnections: limits.maxConnections,
    maxHeaderBytes: limits.maxHeaderBytes,
    headersMs: limits.headersMs,
    requestMs: limits.headersMs,
    keepAliveMs: limits.keepAliveMs,
    silenceMs: limits.idleMs,
    checkMs: Math.min(1_000, limits.headersMs),
  });
  server.on('request', (request, response) => {
    // nobody reads a body here: its connection ends with the answer
    if (
      request.headers['content-length'] !== undefined ||
      request.headers['transfer-encoding'] !== undefined
    ) {
      response.setHeader('connection', 'close');
    }
    answerTo(request)
      .catch((error: unknown) => {
        sources.onError(error);
        return errorAnswer(500, 'internal', 'internal error');
      })
      .then((answer) => send(request, response, answer));
  });
  server.on(
    'clientError',
    answerRawErrors({
      headers: DATA_HEADERS,
      contentType: JSON_TYPE,
      body: (error) => JSON.stringify({ error, code: 'bad_request' satisfies ErrorCode }),
    }),
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    send(request, response, errorAnswer(417, 'bad_request', 'only 100-continue may be expected')),
  );
  const { url } = await listenAt(server, address, { code: 'config_invalid', setting: '--admin' });
  return { url, close: () => closeServer(server, 0) };
}

/** Who asks while a text is being made gets the same one. */
function sharedRendering(render: () => Promise<string>): () => Promise<string> {
  let rendering: Promise<string> | undefined;
  return () => {
    rendering ??= render().finally(() => {
      rendering = undefined;
    });
    return rendering;
  };
}

function jsonAnswer(status: number, value: unknown): AdminAnswer {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(value) };
}

/** As the API's: `{error, code}`. */
function errorAnswer(status: number, code: ErrorCode, error: string): AdminAnswer {
  return jsonAnswer(status, { error, code });
}

function send(request: IncomingMessage, response: ServerResponse, answer: AdminAnswer): void {
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': Buffer.byteLength(answer.body),
    ...DATA_HEADERS,
    ...(answer.allow === undefined ? {} : { allow: answer.allow }),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
