/** What node:http answers by itself, before any handler runs: written here as all other answers are, with their headers. */

/** Headers of an answer that is no page: nothing in it may run, be framed, be taken for another type, or be kept. */
export const DATA_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** Anything else that is no request is a 400. */
const KNOWN: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'the request did not come in time'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'the chunk extensions are too large'],
};
const NO_REQUEST = [400, 'Bad Request', 'this is no HTTP request'] as const;

/** Of node's net.Socket. */
export interface RawSocket {
  readonly destroyed: boolean;
  readonly writable: boolean;
  write(text: string): unknown;
  destroy(error?: Error): unknown;
}

export interface RawAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** The body that says `text`. */
  readonly body: (text: string) => string;
}

/** A handler of `clientError`: answers bytes that are no request, then ends the connection. */
export function answerRawErrors({
  headers,
  contentType,
  body,
}: RawAnswer): (error: Error & { readonly code?: string | undefined }, socket: RawSocket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, reason, text] = KNOWN[error.code ?? ''] ?? NO_REQUEST;
    if (socket.writable) {
      const bytes = body(text);
      const all = {
        ...headers,
        'content-type': contentType,
        'cache-control': 'no-store',
        'content-length': String(new TextEncoder().encode(bytes).length),
        connection: 'close',
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${bytes}`);
    }
    socket.destroy(error);
  };
}
