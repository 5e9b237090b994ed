import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { printError, type RpcAnswer, type RpcRequest } from '../calls.ts';
import { methodNotFound } from '../errors.ts';
import { type FaultName, GATEWAY_KEY } from './names.ts';

/** Gateways between a client and a node: they refuse forms of requests, want keys, pack answers, or lead to no node at all. */

/** Whether a fault happens in this request. */
export type Hits = (name: FaultName) => boolean;

const KEY_PATH = `/rpc/${GATEWAY_KEY}`;
const BATCH_STATUSES = [400, 403, 413, 500] as const;
const QUERY_STATUSES = [403, 404] as const;
const MAX_BATCH = 2;
export const FAR_MS = [50, 150, 400] as const;

/** The answer where the request does not get to the node. */
export function refusalAtGateway(request: RpcRequest, hits: Hits): RpcAnswer | undefined {
  const { method, body = '' } = request;
  if (hits('web-server')) return page(200, 'Welcome!');
  if (hits('ethereum'))
    return json(
      `{"jsonrpc":"2.0","id":${idOf(body)},"error":{"code":-32601,"message":"the method does not exist"}}`,
    );
  const isWithoutKey =
    (!request.url.startsWith(KEY_PATH) && hits('path-key')) ||
    (new URL(request.url, 'http://node').searchParams.get('key') !== GATEWAY_KEY && hits('query-key')) ||
    (request.headers?.['x-api-key'] !== GATEWAY_KEY && hits('header-key'));
  if (isWithoutKey) return page(401, 'a key is wanted');
  if (hits('too-many')) return page(429, 'Too Many Requests');
  if (hits('retry-after')) return { ...page(429, 'Too Many Requests'), headers: { 'retry-after': '1' } };
  if (hits('bad-gateway')) return page(502, 'Bad Gateway');
  if (hits('unavailable')) return page(503, 'Service Unavailable');
  if (method === 'POST' && hits('get-only')) return page(405, 'Method Not Allowed');
  return refusedQuery(request, hits) ?? refusedBatch(request, hits);
}

function refusedBatch({ body = '' }: RpcRequest, hits: Hits): RpcAnswer | undefined {
  const calls = body.trimStart().startsWith('[') ? (body.match(/"method"/g) ?? []).length : 1;
  if (calls === 1) return undefined;
  for (const status of BATCH_STATUSES) if (hits(`batch-${status}`)) return page(status, 'Bad request');
  if (hits('batch-error')) {
    return json('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}');
  }
  if (calls > MAX_BATCH && hits('batch-two')) {
    return { ...json(`{"error":"Too many (${calls}) calls: up to ${MAX_BATCH} are allowed"}`), status: 400 };
  }
  return undefined;
}

function refusedQuery({ url, body = '' }: RpcRequest, hits: Hits): RpcAnswer | undefined {
  const isByPath = body === '';
  if (!(isByPath ? url : body).includes('abci_query')) return undefined;
  if (hits('no-queries')) {
    return isByPath ? page(404, 'not found') : json(printError(idOf(body), methodNotFound()));
  }
  for (const status of QUERY_STATUSES) if (hits(`queries-${status}`)) return page(status, 'refused');
  return undefined;
}

/** The request as it comes to the node. */
export function behindGateway(request: RpcRequest): RpcRequest {
  const { url } = request;
  return url.startsWith(KEY_PATH) ? { ...request, url: url.slice(KEY_PATH.length) || '/' } : request;
}

/** The node's answer as it comes to the client. */
export function throughGateway(answer: RpcAnswer, request: RpcRequest, hits: Hits): RpcAnswer {
  const given = firstAlone(answer, hits) ?? answer;
  const accepted = request.headers?.['accept-encoding'] ?? '';
  for (const [name, pack] of PACKERS) {
    if (!accepted.includes(name) || !hits(name)) continue;
    const parts = [pack(Buffer.concat(given.parts))];
    return { ...given, parts, headers: { ...given.headers, 'content-encoding': name } };
  }
  return given;
}

const PACKERS: readonly (readonly ['gzip' | 'deflate' | 'br', (bytes: Buffer) => Uint8Array])[] = [
  ['gzip', (bytes) => gzipSync(bytes, { level: 1 })],
  ['deflate', (bytes) => deflateSync(bytes, { level: 1 })],
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
];

function firstAlone(answer: RpcAnswer, hits: Hits): RpcAnswer | undefined {
  const { first } = answer;
  if (first === undefined) return undefined;
  const isObject = hits('batch-first');
  if (!isObject && !hits('batch-short')) return undefined;
  return { ...answer, parts: isObject ? first : [Buffer.from('['), ...first, Buffer.from(']')] };
}

function idOf(body: string): string {
  return /"id"\s*:\s*(\d+)/.exec(body)?.[1] ?? 'null';
}

function page(status: number, text: string): RpcAnswer {
  const body = `<html><head><title>${status}</title></head><body><h1>${text}</h1></body></html>\n`;
  return { status, contentType: 'text/html', parts: [Buffer.from(body)] };
}

function json(text: string): RpcAnswer {
  return { status: 200, contentType: 'application/json', parts: [Buffer.from(text)] };
}
