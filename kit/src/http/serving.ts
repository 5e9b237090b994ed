import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isAllowedHost, isAllowedOrigin, isLoopbackHost } from '../allowed-hosts.ts';
import { clientKey } from '../client-key.ts';
import type { Holding } from '../holding.ts';
import { answerRawErrors, DATA_HEADERS } from '../raw-errors.ts';
import type { Caller } from './caller.ts';

/** What JSON-RPC servers share: CometBFT's and Ethereum's. */

/** A client that goes away in the midst of something, as every client may. */
export function isHangUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

export type ReadBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too long' }
  /** `holding` had no room for it. */
  | { readonly kind: 'busy' };

/** Reads a body to its end. Nothing of it is kept where it is refused. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  holding: Holding,
): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  let refused: 'too long' | 'busy' | undefined;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    byteLength += chunk.length;
    if (refused !== undefined) continue;
    if (byteLength > maxBytes) refused = 'too long';
    else if (!holding.hold(chunk)) refused = 'busy';
    else chunks.push(chunk);
    if (refused === undefined) continue;
    chunks.length = 0;
    holding.end();
  }
  return refused === undefined
    ? { kind: 'text', text: Buffer.concat(chunks).toString('utf8') }
    : { kind: refused };
}

/** An answer's reader has this long to take it. Sockets take smaller ones at once. */
const TAKE_MS = 60_000;
const TIMED_BYTES = 65_536;
const SMALL_BYTES = 4_096;

/** Ends the connection when the client does not take the answer in time. */
export function sendParts(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  parts: readonly Uint8Array[],
): void {
  const byteLength = parts.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(status, { ...DATA_HEADERS, 'content-length': byteLength, ...headers });
  response.cork();
  for (const part of piecesOf(parts)) response.write(part);
  response.end();
  if (byteLength <= TIMED_BYTES) return;
  const late = setTimeout(() => response.destroy(), TAKE_MS);
  late.unref();
  response.once('close', () => clearTimeout(late));
}

/** Each piece costs a write of its own: small neighbours become one. */
function piecesOf(parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const join = (): void => {
    if (small.length > 0) pieces.push(small.length === 1 ? (small[0] as Uint8Array) : Buffer.concat(small));
    small = [];
  };
  for (const part of parts) {
    if (part.length <= SMALL_BYTES) {
      small.push(part);
      continue;
    }
    join();
    pieces.push(part);
  }
  join();
  return pieces;
}

/** When the bytes of bodies or of answers are used up. */
export function sendBusy(response: ServerResponse): void {
  sendText(response, 503, 'too many large requests', { 'retry-after': '1', connection: 'close' });
}

export function answerOwnErrors(server: Server): void {
  server.on(
    'clientError',
    answerRawErrors({ headers: DATA_HEADERS, contentType: 'text/plain; charset=utf-8', body: lineOf }),
  );
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    sendText(response, 417, 'only 100-continue may be expected'),
  );
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(lineOf(text));
  response.writeHead(status, {
    ...DATA_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}

function lineOf(text: string): string {
  return `${text}\n`;
}

/** The Host names that a server answers. */
export interface EntryCheck {
  /** Where the server listens. */
  readonly host: string;
  /** Further names in a Host header. */
  readonly allowedHosts: readonly string[];
}

/** Why a request is refused by its headers. */
export interface Refusal {
  readonly status: 403;
  readonly text: string;
}

/** Browsers' wallets are extensions: a web page cannot send such an Origin. */
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\//;
/** What a page of another site may not send, even by a link. */
const WRITES = /^\/broadcast_/;

/**
 * Refuses what a web page of a foreign site makes a browser send: by a DNS name that points here (Host), by a form, a
 * picture or a script (Origin, Sec-Fetch-Site). Programs send neither, and are not restricted.
 */
export function refusalOf({ headers, url = '/' }: IncomingMessage, entry: EntryCheck): Refusal | undefined {
  const { host, origin } = headers;
  if (!isAllowedHost(host, entry, entry.allowedHosts)) {
    const text = 'this Host is not answered: name it with --allowed-hosts';
    return { status: 403, text };
  }
  if (origin !== undefined) {
    if (EXTENSION.test(origin) || isAllowedOrigin(origin, entry, entry.allowedHosts)) return undefined;
    return { status: 403, text: 'pages of other sites are not answered' };
  }
  const site = headers['sec-fetch-site'];
  const isForeign = site === 'cross-site' || site === 'same-site';
  const isLink = headers['sec-fetch-mode'] === 'navigate' && !WRITES.test(url);
  return isForeign && !isLink ? { status: 403, text: 'pages of other sites are not answered' } : undefined;
}

/** A page can send any other type without asking first (CORS); a Blob even none. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** The client that sends a request, and a signal that aborts when its connection ends before the answer. */
export function callerOf({ socket }: IncomingMessage, response: ServerResponse): Caller {
  let gone: AbortController | undefined;
  let isGone = false;
  let client: string | undefined;
  response.on('close', () => {
    isGone = !response.writableFinished;
    if (isGone) gone?.abort();
  });
  return {
    // most requests have no use for either
    get client() {
      client ??= clientOf(socket);
      return client;
    },
    get signal() {
      gone ??= new AbortController();
      if (isGone) gone.abort();
      return gone.signal;
    },
  };
}

/**
 * Whose share of the queue a request takes: `clientKey` of its address. On loopback it is the connection, since a proxy and
 * every local program have the same address there.
 */
export function clientOf(socket: {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}): string {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isLoopbackHost(address) ? `${address} ${socket.remotePort}` : clientKey(address);
}
