import { startJsonServer } from 'strata-kit/http/json-server';
import { isJson, sendBusy, sendParts, sendText } from 'strata-kit/http/serving';
import { answerBody } from './answer.ts';
import { EthereumError } from './errors.ts';
import { type EthereumSource, openEthereumNode } from './node.ts';

export interface EthereumRpcOptions {
  readonly source: EthereumSource;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names in a Host header that are answered besides loopback names and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Hears of what went wrong outside any answer. */
  readonly onError?: (error: unknown) => void;
  /** Bytes of answers that are in the making or wait for their readers; 128 MB. */
  readonly maxAnswerBytes?: number;
}

export interface EthereumRpcServer {
  /** http://host:port */
  readonly url: string;
  /** Answers what has been asked, for a second at most, and closes every connection. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 5_000_000;
const MAX_CONNECTIONS = 256;
/** node's own bound. */
const MAX_HEAD_BYTES = 16_384;
const MAX_ANSWERS_BYTES = 128_000_000;
/** Requests that are answered at once. */
const MAX_REQUESTS = 128;

/** Ethereum's JSON-RPC over HTTP POST, single calls and batches. Errors: port_in_use. */
export async function startEthereumRpc(options: EthereumRpcOptions): Promise<EthereumRpcServer> {
  const { host = '127.0.0.1', allowedHosts = [], onError = () => {} } = options;
  const node = openEthereumNode(options.source);
  const { address, close } = await startJsonServer({
    host,
    port: options.port,
    allowedHosts,
    maxBodyBytes: MAX_BODY_BYTES,
    maxConnections: MAX_CONNECTIONS,
    maxRequests: MAX_REQUESTS,
    maxHeadBytes: MAX_HEAD_BYTES,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWERS_BYTES,
    onError,
    refuse(request) {
      if (request.method !== 'POST')
        return { status: 405, text: 'method not allowed', headers: { allow: 'POST' } };
      return isJson(request) ? undefined : { status: 415, text: 'the body must be application/json' };
    },
    async answer(_request, response, body, exchange) {
      if (body === undefined) return sendText(response, 413, 'content length too large');
      try {
        const answer = await answerBody(node, body, { onError, ...exchange });
        if (!response.destroyed)
          sendParts(response, 200, { 'content-type': 'application/json' }, answer ?? []);
      } catch (error) {
        if (!(error instanceof EthereumError)) throw error;
        if (!response.destroyed) sendBusy(response);
      }
    },
  });
  return { url: `http://${address}`, close: () => close() };
}
