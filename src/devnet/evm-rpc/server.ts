import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, readBody } from '../http.ts';
import { answerBody } from './answer.ts';
import { type EthereumSource, openEthereumNode } from './node.ts';

export interface EthereumRpcOptions {
  readonly source: EthereumSource;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Hears of what went wrong outside any answer. */
  readonly onError?: (error: unknown) => void;
}

export interface EthereumRpcServer {
  /** http://host:port */
  readonly url: string;
  /** Answers what has been asked, for a second at most, and closes every connection. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 5_000_000;
const MAX_CONNECTIONS = 256;
/** A request has to be there within this. */
const REQUEST_MS = 10_000;
const IDLE_MS = 60_000;
const CLOSE_MS = 1_000;
/** Requests that are answered at once; more are told to come back. */
const MAX_REQUESTS = 128;

/** Ethereum's JSON-RPC over HTTP POST, single calls and batches. Errors: those of listening (EADDRINUSE and the like). */
export async function startEthereumRpc(options: EthereumRpcOptions): Promise<EthereumRpcServer> {
  const { host = '127.0.0.1', onError = () => {} } = options;
  const node = await openEthereumNode(options.source);
  const server = createServer({ requestTimeout: REQUEST_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  let running = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return end(response, 405, 'method not allowed', { allow: 'POST' });
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === undefined) return end(response, 413, 'content length too large', {});
    const answer = await answerBody(node, body, { onError });
    end(response, 200, answer ?? '', { 'content-type': 'application/json' });
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (running >= MAX_REQUESTS) {
      end(response, 503, 'too many requests', { 'retry-after': '1' });
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
  const port = await listen(server, host, options.port);
  server.on('error', onError);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const patience = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await closed;
      clearTimeout(patience);
    },
  };
}

function end(response: ServerResponse, status: number, body: string, headers: Record<string, string>): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}
