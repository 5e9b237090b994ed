import {
  Agent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { createThrottledWarning } from 'strata-kit/throttled-warning';

export interface ForwardOptions {
  /** The indexer's API, without a slash at its end. */
  readonly url: string;
  readonly log: Logger;
  /** Requests at a time; more are answered 503. 200. */
  readonly maxInFlight?: number;
  /** Of one client, so that none can hold all the places by reading slowly. 50. */
  readonly maxOfClient?: number;
  /** Without a byte from the indexer, or without one that the client takes; 30 s. */
  readonly idleMs?: number;
  /** From the request to the last byte that the client takes. ANSWER_MS. */
  readonly deadlineMs?: number;
}

/**
 * An answer that is still on its way then is ended. The largest pages have about 1.6 MB unpacked, which takes 14 kB/s; the
 * API packs them for browsers to a fifth or less.
 */
const ANSWER_MS = 120_000;

export interface Forward {
  /** Answers with what the indexer answers to the same method and target, and `headers` over its own. */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    /** Whose share of the places it takes: clientKey. */
    client: string,
  ): void;
  close(): void;
}

/**
 * `/v1`, `/v1/…` and `/openapi.yaml`, as they stand on the wire; nothing that leads out of `/v1` again (`/v1/../x`), which a
 * server before the indexer would follow.
 */
export function isForwarded(target: string): boolean {
  if (isDescription(target) || /^\/v1(\?|$)/.test(target)) return true;
  return target.startsWith('/v1/') && new URL(`http://x${target}`).pathname.startsWith('/v1/');
}

/** Of a forwarded target: it is the API's description, not one of its routes. */
export function isDescription(target: string): boolean {
  return /^\/openapi\.yaml(\?|$)/.test(target);
}

/** What the indexer's answer depends on, and who asks. */
const REQUEST_HEADERS = ['accept', 'accept-encoding', 'if-none-match', 'if-modified-since', 'user-agent'];
/** They speak of one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(
  'connection,keep-alive,proxy-authenticate,proxy-authorization,te,trailer,transfer-encoding,upgrade'.split(
    ',',
  ),
);

/** They act on the app's own origin, where browsers keep keys; the API has none of them. */
const NOT_FOR_BROWSERS = new Set(
  'set-cookie,location,refresh,clear-site-data,service-worker-allowed'.split(','),
);
const MEDIA_TYPES = /^(application\/(json|yaml)|text\/plain)\s*(;|$)/i;

/**
 * Forwards as it comes: the target byte for byte, the answer's status, headers and body as the indexer gives them, packed
 * or not. An indexer that does not answer, redirects, or answers with something that a browser could run, is 503
 * `unavailable`; an answer that breaks off breaks off here too. Bodies of requests are not forwarded: the API reads none.
 */
export function createForward(options: ForwardOptions): Forward {
  const { url, log, maxInFlight = 200, maxOfClient = 50, idleMs = 30_000, deadlineMs = ANSWER_MS } = options;
  const base = new URL(url);
  const isSecure = base.protocol === 'https:';
  const sockets = { keepAlive: true, maxSockets: maxInFlight, maxFreeSockets: 32 };
  const agent = isSecure ? new SecureAgent(sockets) : new Agent(sockets);
  const ask = isSecure ? requestHttps : requestHttp;
  const prefix = base.pathname === '/' ? '' : base.pathname;
  const auth = [base.username, base.password].map(decodeURIComponent).join(':');
  const silence = createThrottledWarning(log, 'the indexer does not answer');
  const lateness = createThrottledWarning(log, 'an answer of the indexer was ended');
  const inFlight = createPlaces(maxInFlight, maxOfClient);
  const onEndOf = createEndWatch();

  return {
    forward(request, response, headers, client) {
      const release = inFlight.take(client);
      if (release === undefined) {
        refuse(response, headers, 'too many requests wait for the indexer');
        return;
      }
      let stop = (_error?: Error): void => undefined;
      const deadline = setTimeout(() => {
        const late = new Error(`it took more than ${deadlineMs / 1_000} s`);
        if (response.headersSent) {
          lateness(late);
          response.destroy();
        } else {
          stop(late);
        }
      }, deadlineMs);
      onEndOf(response, () => {
        clearTimeout(deadline);
        release();
        stop();
      });
      const options: RequestOptions = {
        agent,
        protocol: base.protocol,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        method: request.method,
        path: `${prefix}${request.url}`,
        headers: headersOf(request),
        ...(auth === ':' ? {} : { auth }),
        timeout: idleMs,
      };
      attempt(options, true);

      function attempt(given: RequestOptions, mayRepeat: boolean): void {
        const asking = ask(given, (answer) => {
          const wrong = whatIsWrong(answer);
          if (wrong !== undefined) {
            silence(new Error(wrong));
            answer.destroy();
            refuse(response, headers, 'the indexer does not answer');
            return;
          }
          response.setTimeout(idleMs, () => response.destroy());
          pass(answer, response, headers);
        });
        stop = (error) => asking.destroy(error);
        asking.on('timeout', () => asking.destroy(new Error(`nothing came for ${idleMs / 1_000} s`)));
        asking.on('error', (error: NodeJS.ErrnoException) => {
          if (response.destroyed) return;
          if (response.headersSent) {
            response.destroy();
            return;
          }
          // the indexer closed a connection that it had kept, before it saw the request
          if (mayRepeat && asking.reusedSocket && error.code === 'ECONNRESET') {
            attempt({ ...given, agent: false }, false);
            return;
          }
          silence(error);
          refuse(response, headers, 'the indexer does not answer');
        });
        asking.end();
      }
    },
    close: () => agent.destroy(),
  };
}

/**
 * Calls `act` once, when an answer is sent or its connection has ended, which a response is not told of that waits behind
 * another one of its connection.
 */
function createEndWatch() {
  const waiting = new WeakMap<Socket, Set<() => void>>();
  const watch = (socket: Socket): Set<() => void> => {
    const ends = new Set<() => void>();
    waiting.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  };
  return (response: ServerResponse, act: () => void): void => {
    const { socket } = response.req;
    const ends = waiting.get(socket) ?? watch(socket);
    const end = (): void => {
      if (!ends.delete(end)) return;
      if (socket.destroyed) response.destroy();
      act();
    };
    ends.add(end);
    response.once('close', end);
  };
}

/** `take` gives a place away, with what frees it, once; undefined where there is none. */
function createPlaces(most: number, mostOfOne: number) {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(client: string): (() => void) | undefined {
      const own = taken.get(client) ?? 0;
      if (all >= most || own >= mostOfOne) return undefined;
      all += 1;
      taken.set(client, own + 1);
      return () => {
        all -= 1;
        const left = (taken.get(client) ?? 0) - 1;
        if (left > 0) taken.set(client, left);
        else taken.delete(client);
      };
    },
  };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of REQUEST_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') sent[name] = value;
  }
  // a method that has a body may not leave its length open
  if (request.method !== 'GET' && request.method !== 'HEAD') sent['content-length'] = '0';
  return sent;
}

/** Of an answer that the API never gives. */
function whatIsWrong({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode < 200 || (statusCode >= 300 && statusCode < 400 && statusCode !== 304)) {
    return `it answers HTTP ${statusCode}, which is not followed`;
  }
  const type = headers['content-type'];
  return type === undefined || MEDIA_TYPES.test(type) ? undefined : 'it answers neither JSON nor YAML';
}

function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(answer.statusCode ?? 502, answerHeaders(answer.rawHeaders, headers));
  // an answer that breaks off breaks off here too; the client's end ends the request
  answer.once('error', () => response.destroy());
  answer.once('close', () => {
    if (!answer.complete) response.destroy();
  });
  answer.pipe(response);
}

/** The indexer's with `over` instead of its own of these names, as a flat list. Bytes stay what they are. */
function answerHeaders(raw: readonly string[], over: Readonly<Record<string, string>>): string[] {
  const headers: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = name.toLowerCase();
    const isKept = !HOP_BY_HOP.has(lower) && !NOT_FOR_BROWSERS.has(lower) && !Object.hasOwn(over, lower);
    if (isKept) headers.push(name, raw[i + 1] ?? '');
  }
  for (const name in over) headers.push(name, over[name] ?? '');
  return headers;
}

function refuse(response: ServerResponse, headers: Readonly<Record<string, string>>, error: string): void {
  const body = JSON.stringify({ error, code: 'unavailable' });
  response.writeHead(503, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '1',
    'content-length': Buffer.byteLength(body),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
