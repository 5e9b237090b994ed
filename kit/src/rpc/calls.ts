import type { Holding } from '../holding.ts';
import type { Caller } from '../http/caller.ts';
import type { Exchange } from '../http/json-server.ts';
import {
  BUSY,
  busy,
  internalError,
  invalidParams,
  invalidRequest,
  methodNotFound,
  parseError,
  RpcError,
} from './errors.ts';
import { goSyntaxError, quote } from './go-json.ts';
import type { Result, RpcNode } from './node.ts';
import { ParamError, paramsOfBody, paramsOfUrl } from './params.ts';

/** HTTP requests to answers, without a socket, as rpc/jsonrpc/server of CometBFT 0.38 has it. */

const MAX_BATCH = 10;
/** Of calls by URL, which have none of their own. */
const URL_ID = '-1';
/** Methods of the websocket alone: they are known by URL, and not there. */
export const SOCKET_METHODS = ['subscribe', 'unsubscribe', 'unsubscribe_all'];

export interface RpcRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Undefined when it was longer than is read. */
  readonly body: string | undefined;
  /** Field names in lower case. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RpcAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The body, in pieces. */
  readonly parts: readonly Uint8Array[];
  /** The first answer of a batch of several. */
  readonly first?: readonly Uint8Array[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is closed after so many bytes of the body. */
  readonly breakAfterBytes?: number;
}

const JSON_TYPE = 'application/json';

/** Errors: none that a client causes. */
export async function answerHttp(
  node: RpcNode,
  { url, body }: RpcRequest,
  exchange: Exchange,
): Promise<RpcAnswer> {
  const [path = '', ...query] = url.split('?');
  return path === '/'
    ? answerBody(node, body, exchange)
    : answerUrl(node, path.slice(1), query.join('?'), exchange);
}

/** Errors of calls by URL come with HTTP 500, and with 429 where too much waits. */
async function answerUrl(
  node: RpcNode,
  name: string,
  query: string,
  { caller, holding }: Exchange,
): Promise<RpcAnswer> {
  const method = node.methods.get(name);
  if (method === undefined) {
    if (SOCKET_METHODS.includes(name)) return refusal(404, URL_ID, methodNotFound());
    const parts = toBytes(['404 page not found\n']);
    return { status: 404, contentType: 'text/plain; charset=utf-8', parts };
  }
  try {
    await node.chain.step?.(caller.client);
    const result = await method.answer(
      node.chain,
      paramsOfUrl(new URLSearchParams(query), method.params),
      caller,
    );
    return { status: 200, contentType: JSON_TYPE, parts: hold(resultParts(URL_ID, result), holding) };
  } catch (error) {
    const told = toRpcError(error, node);
    return refusal(told.code === BUSY ? 429 : 500, URL_ID, told);
  }
}

/** One request or a batch. Errors of their calls come with HTTP 200. */
async function answerBody(
  node: RpcNode,
  body: string | undefined,
  { caller, holding }: Exchange,
): Promise<RpcAnswer> {
  if (body === undefined) {
    return refusal(
      400,
      undefined,
      invalidRequest('error reading request body: http: request body too large'),
    );
  }
  if (body === '') return listOfEndpoints(node);
  let requests: readonly Request[];
  try {
    const parsed = parseRequest(body);
    requests = (Array.isArray(parsed) ? parsed : [parsed]).map(readRequest);
  } catch (error) {
    return refusal(500, undefined, toRpcError(error, node));
  }
  if (requests.length > MAX_BATCH) {
    const reason = `batch request exceeds maximum (${MAX_BATCH}) allowed number of requests`;
    return refusal(200, undefined, invalidRequest(reason));
  }
  const answers: (readonly Uint8Array[])[] = [];
  for (const request of requests) {
    if (request.id === undefined) continue;
    const answer = await answerCall(node, request, request.id, caller, invalidParams);
    answers.push(holdAnswer(answer, request.id, holding));
  }
  if (answers.length === 0) return { status: 200, contentType: undefined, parts: [] };
  const [first = [], ...more] = answers;
  // a batch of one is answered by one object
  if (more.length === 0) return { status: 200, contentType: JSON_TYPE, parts: first };
  return { status: 200, contentType: JSON_TYPE, parts: joinBatch(answers), first };
}

export interface Request {
  /** Its JSON text; a request without one gets no answer. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Errors: RpcError. */
export function parseRequest(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw parseError(goSyntaxError(text));
  }
}

/** Errors: RpcError. */
export function readRequest(given: unknown): Request {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    if (given === null) return { id: undefined, method: '', params: undefined };
    const kind = Array.isArray(given) ? 'array' : typeof given === 'boolean' ? 'bool' : typeof given;
    throw parseError(`json: cannot unmarshal ${kind} into Go value of type types.RPCRequest`);
  }
  const { id, method, params } = given as Readonly<Record<string, unknown>>;
  if (id === undefined || id === null) return { id: undefined, method: '', params: undefined };
  if (typeof id !== 'number' && typeof id !== 'string') {
    throw parseError(`json-rpc ID (${JSON.stringify(id)}) is of unknown type`);
  }
  if (method !== undefined && typeof method !== 'string') {
    throw parseError('json: cannot unmarshal the method into Go struct field .method of type string');
  }
  return { id: typeof id === 'number' ? String(Math.trunc(id)) : quote(id), method: method ?? '', params };
}

/** `wrongParams` makes the error of parameters that cannot be read: a websocket's is another. */
export async function answerCall(
  node: RpcNode,
  { method: name, params }: Request,
  id: string,
  caller: Caller,
  wrongParams: (reason: string) => RpcError,
): Promise<readonly Result[]> {
  try {
    const method = node.methods.get(name);
    if (method === undefined) throw methodNotFound();
    await node.chain.step?.(caller.client);
    return resultParts(id, await method.answer(node.chain, paramsOfBody(params, method.params), caller));
  } catch (error) {
    return [printError(id, toRpcError(error, node, wrongParams))];
  }
}

export function resultParts(id: string, result: Result): readonly Result[] {
  return [`{"jsonrpc":"2.0","id":${id},"result":`, result, '}'];
}

/** Without an `id` where there was none to be read. */
export function printError(id: string | undefined, { code, message, data }: RpcError): string {
  const idMember = id === undefined ? '' : `"id":${id},`;
  const dataMember = data === undefined ? '' : `,"data":${quote(data)}`;
  return `{"jsonrpc":"2.0",${idMember}"error":{"code":${code},"message":${quote(message)}${dataMember}}}`;
}

/** What the chain did not foresee goes to `onError`; the client gets no part of it. */
export function toRpcError(error: unknown, node: RpcNode, wrongParams = invalidParams): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof ParamError) return wrongParams(error.message);
  node.onError(error);
  return internalError('the node failed to answer; its log says why');
}

/** The answer's bytes, counted; an error in its place where there is no room for them. */
function holdAnswer(answer: readonly Result[], id: string, holding: Holding): readonly Uint8Array[] {
  try {
    return hold(answer, holding);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return toBytes([printError(id, error)]);
  }
}

/** Errors: RpcError where there is no room for them. */
function hold(answer: readonly Result[], holding: Holding): readonly Uint8Array[] {
  const parts = toBytes(answer);
  const refused = parts.findIndex((part) => !holding.hold(part));
  if (refused < 0) return parts;
  for (const part of parts.slice(0, refused)) holding.giveBack(part);
  throw busy('too many large answers wait for their readers');
}

export function toBytes(parts: readonly Result[]): readonly Uint8Array[] {
  return parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part));
}

function joinBatch(answers: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  const [begin, comma, end] = toBytes(['[', ',', ']']) as [Uint8Array, Uint8Array, Uint8Array];
  return [...answers.flatMap((answer, i) => [i === 0 ? begin : comma, ...answer]), end];
}

function refusal(status: number, id: string | undefined, error: RpcError): RpcAnswer {
  return { status, contentType: JSON_TYPE, parts: toBytes([printError(id, error)]) };
}

function listOfEndpoints({ methods }: RpcNode): RpcAnswer {
  const links = [...methods].map(([name, { params }]) => {
    const query = params.map((param) => `${param.name}=_`).join('&');
    return `<a href="/${name}${query === '' ? '' : `?${query}`}">/${name}</a></br>`;
  });
  const page = `<html><body><br>Available endpoints:<br>${links.join('')}</body></html>`;
  return { status: 200, contentType: 'text/html', parts: toBytes([page]) };
}
