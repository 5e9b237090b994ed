import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Anything else that is no request is a 400. */
const KNOWN: Readonly<Record<string, readonly [status: number, error: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not come in time'],
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
};

/**
 * Answers bytes that are no request, of which no route or hook hears: as other errors are, with the headers of every answer,
 * and then the connection ends.
 */
export function createClientErrors(
  headers: Readonly<Record<string, string>>,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, text] = KNOWN[error.code ?? ''] ?? [400, 'this is no HTTP request'];
    const body = JSON.stringify({ error: text, code: 'bad_request' });
    const all = {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    if (socket.writable) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    }
    socket.destroy(error);
  };
}
