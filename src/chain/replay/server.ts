import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { WebSocketServer } from 'ws';
import type { Capture } from '../capture/reader.ts';
import { createReplayChain } from './chain.ts';
import { createFaultLayer, type FaultOptions } from './faults/layer.ts';
import { answerHttp, MAX_BODY_BYTES, type ReplayAnswer, type ReplayRequest } from './http.ts';
import { createReplaySockets } from './websocket.ts';

export interface ReplayOptions {
  readonly capture: Capture;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Heights are revealed one by one, this long after each other; without it all are there at once. */
  readonly paceMs?: number;
  readonly clock?: Clock;
  /** PEM texts with which it answers https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** What the node does wrong; `respond` sees the answers that come of it. */
  readonly faults?: FaultOptions;
  /** May delay, change or replace an answer before it is sent; throwing drops the connection. */
  readonly respond?: (request: ReplayRequest, answer: ReplayAnswer) => ReplayAnswer | Promise<ReplayAnswer>;
  /** What went wrong outside any answer, such as a broken socket. */
  readonly onError?: (error: unknown) => void;
}

export interface Replay {
  /** http://host:port, or https:// */
  readonly url: string;
  /** The height revealed so far. */
  head(): number;
  close(): Promise<void>;
}

/**
 * Serves a capture as a CometBFT 0.38 RPC: GET, POST, batches of at most 10, and NewBlock on /websocket, with the
 * node's own error answers. The capture stays the caller's to close.
 * Errors: config_invalid when the address cannot be listened on.
 */
export async function startReplay(options: ReplayOptions): Promise<Replay> {
  const { capture, paceMs, respond } = options;
  const clock = options.clock ?? systemClock;
  const onError = options.onError ?? (() => {});
  const isPaced = paceMs !== undefined && paceMs > 0;
  const chain = createReplayChain(capture, isPaced ? capture.blocks.firstHeight : capture.blocks.lastHeight);
  const sockets = createReplaySockets(chain, onError);
  const faults = options.faults === undefined ? undefined : createFaultLayer(chain, options.faults);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readBody(request) : '';
    const { method = 'GET', url = '/', headers } = request;
    const asked: ReplayRequest = { method, url, body, headers };
    const prepared = await (faults === undefined ? answerHttp(chain, asked) : faults.answer(asked));
    if (prepared === undefined) {
      response.destroy();
      return;
    }
    send(response, respond === undefined ? prepared : await respond(asked, prepared));
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: unknown) => {
      onError(error);
      response.destroy();
    });
  };
  const { tls } = options;
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (new URL(request.url ?? '/', 'http://replay').pathname !== '/websocket') return socket.destroy();
    upgrades.handleUpgrade(request, socket, head, (accepted) => sockets.accept(accepted));
  });
  await listen(server, options);

  const stop = new AbortController();
  async function pace(): Promise<void> {
    while (chain.head() < chain.last) {
      await clock.sleep(paceMs ?? 0, stop.signal);
      if (stop.signal.aborted) return;
      chain.reveal(chain.head() + 1);
      await sockets.announce(chain.head());
    }
  }
  const pacing = isPaced ? pace().catch(onError) : Promise.resolve();

  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    head: () => chain.head(),
    close: async () => {
      stop.abort();
      for (const client of upgrades.clients) client.terminate();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, pacing]);
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of request) {
    byteLength += (chunk as Buffer).length;
    if (byteLength <= MAX_BODY_BYTES) chunks.push(chunk as Buffer);
  }
  return byteLength > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, answer: ReplayAnswer): void {
  const { status, contentType, parts, headers, breakAfterBytes } = answer;
  const byteLength = parts.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(status, {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    'content-length': byteLength,
    ...headers,
  });
  if (breakAfterBytes !== undefined) {
    response.write(Buffer.concat(parts).subarray(0, breakAfterBytes), () => response.destroy());
    return;
  }
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
}

function listen(server: ReturnType<typeof createServer>, { host, port }: ReplayOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new StrataError('config_invalid', `the replay cannot listen on ${host}:${port}: ${error.message}`, {
          cause: error,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
}
