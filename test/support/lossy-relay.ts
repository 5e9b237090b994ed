import { createServer } from 'node:http';
import { closeServer, listenAt } from 'strata-kit/http/listener';

/**
 * A relay between a client and a server of JSON over HTTP. It passes a request on, and then may keep the answer to itself
 * and cut the connection: the server has done what was asked, and the client hears nothing. It may also lie.
 */
export interface LossyRelay {
  readonly url: string;
  /** Bodies that were passed on and whose answer was lost. */
  readonly lost: string[];
  /** Which requests lose their answer; none at first. */
  loses: (path: string, body: string) => boolean;
  /** Which requests are not passed on, and get no answer; none at first. */
  swallows: (path: string, body: string) => boolean;
  /** Its own answer to a request, which it does not pass on; undefined: it does. None at first. */
  lies: (path: string, body: string) => Promise<string> | undefined;
  /** Nothing is passed on any more. */
  isDown: boolean;
  close(): Promise<void>;
}

export async function startLossyRelay(to: string): Promise<LossyRelay> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      const path = request.url ?? '/';
      if (relay.isDown || relay.swallows(path, body)) return request.socket.destroy();
      const lie = await relay.lies(path, body);
      if (lie !== undefined) {
        response.setHeader('content-type', 'application/json').end(lie);
        return;
      }
      const answer = await fetch(`${to}${path}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
        ...(body === '' ? {} : { body }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (relay.loses(path, body)) {
        relay.lost.push(body);
        return request.socket.destroy();
      }
      for (const name of ['content-type', 'content-security-policy', 'etag']) {
        const value = answer.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.writeHead(answer.status).end(bytes);
    });
  });
  const { url } = await listenAt(server, { host: '127.0.0.1', port: 0 });
  const relay: LossyRelay = {
    url,
    lost: [],
    loses: () => false,
    swallows: () => false,
    lies: () => undefined,
    isDown: false,
    close: () => closeServer(server, 0),
  };
  return relay;
}
