import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
