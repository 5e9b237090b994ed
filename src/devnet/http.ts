import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAllowedHost, isAllowedOrigin, isLoopbackHost } from '../core/allowed-hosts.ts';
import { clientKey } from '../core/client-key.ts';
import { answerRawErrors, DATA_HEADERS } from '../core/raw-errors.ts';
import type { Caller } from './simulation/simulations.ts';

/** What the chain's two HTTP servers share. */

/** A client that goes away in the midst of something, as every client may. */
export function isHangUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Undefined when it is too long; the rest of it is not kept. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of request) {
    byteLength += (chunk as Buffer).length;
    if (byteLength > maxBytes) chunks.length = 0;
    else chunks.push(chunk as Buffer);
  }
  return byteLength > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** The port that it got. Errors: those of listening. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** What node:http answers by itself has the headers of all other answers; a missing Host is refused by `refusalOf`. */
export const SERVER_OPTIONS = { requireHostHeader: false } as const;

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

export interface Door {
  /** Where the server listens. */
  readonly host: string;
  /** Further names in a Host header. */
  readonly allowedHosts: readonly string[];
}

/** Why a request is refused, before its body is read. */
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
export function refusalOf({ headers, url = '/' }: IncomingMessage, door: Door): Refusal | undefined {
  const { host, origin } = headers;
  if (!isAllowedHost(host, door, door.allowedHosts)) {
    const text = 'this Host is not answered: name it with --allowed-hosts';
    return { status: 403, text };
  }
  if (origin !== undefined) {
    if (EXTENSION.test(origin) || isAllowedOrigin(origin, door, door.allowedHosts)) return undefined;
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
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return { client: clientOf(socket), signal: gone.signal };
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
