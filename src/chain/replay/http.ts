import {
  GET_ID,
  goSyntaxError,
  invalidRequest,
  methodNotFound,
  parseError,
  printFault,
  printResult,
  RpcFault,
} from './answers.ts';
import type { ReplayChain } from './chain.ts';
import { METHODS } from './methods.ts';
import { paramsOfBody, paramsOfUrl } from './params.ts';

/** HTTP requests to answers, without a socket. */

const MAX_BATCH = 10;
/** CometBFT's rpc.max_body_bytes. */
export const MAX_BODY_BYTES = 1_000_000;

export interface ReplayRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Undefined when it is longer than MAX_BODY_BYTES. */
  readonly body: string | undefined;
  /** Field names in lower case. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ReplayAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The body, in pieces. */
  readonly parts: readonly Uint8Array[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is closed after so many bytes of the body. */
  readonly breakAfterBytes?: number;
}

const JSON_TYPE = 'application/json';

export async function answerHttp(chain: ReplayChain, request: ReplayRequest): Promise<ReplayAnswer> {
  const { pathname, searchParams } = new URL(request.url, 'http://replay');
  const isCallByPath = pathname !== '/' || request.method === 'GET';
  return isCallByPath ? answerPath(chain, pathname.slice(1), searchParams) : answerBody(chain, request.body);
}

/** GET /method?name=value. Errors come with HTTP 500. */
async function answerPath(chain: ReplayChain, name: string, query: URLSearchParams): Promise<ReplayAnswer> {
  if (name === '') return listOfEndpoints();
  const method = METHODS.get(name);
  if (method === undefined) {
    return {
      status: 404,
      contentType: 'text/plain; charset=utf-8',
      parts: [Buffer.from('404 page not found\n')],
    };
  }
  try {
    // a URL spells every kind of bytes as hex
    const result = await method.answer(chain, paramsOfUrl(query, method.params));
    return { status: 200, contentType: JSON_TYPE, parts: printResult(GET_ID, result) };
  } catch (error) {
    return fault(500, GET_ID, error);
  }
}

/** POST with one request or a batch. Errors of calls come with HTTP 200. */
async function answerBody(chain: ReplayChain, body: string | undefined): Promise<ReplayAnswer> {
  if (body === undefined)
    return fault(400, undefined, invalidRequest('error reading request body: http: request body too large'));
  if (body === '') return listOfEndpoints();
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return fault(500, undefined, parseError(`error unmarshaling request: ${goSyntaxError(body)}`));
  }
  const requests: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (requests.length > MAX_BATCH) {
    const reason = `batch request exceeds maximum (${MAX_BATCH}) allowed number of requests`;
    return fault(200, undefined, invalidRequest(reason));
  }
  const answers: (readonly Uint8Array[])[] = [];
  for (const request of requests) {
    const answer = await answerCall(chain, request);
    if (answer !== undefined) answers.push(answer);
  }
  if (answers.length === 0) return { status: 200, contentType: undefined, parts: [] };
  // the node prints a batch of one as one object
  const parts = answers.length === 1 ? (answers[0] as readonly Uint8Array[]) : joinBatch(answers);
  return { status: 200, contentType: JSON_TYPE, parts };
}

interface CallJson {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** The answer to one JSON-RPC request; undefined for a notification, which gets none. */
export async function answerCall(
  chain: ReplayChain,
  request: unknown,
): Promise<readonly Uint8Array[] | undefined> {
  const {
    id,
    method: name,
    params,
  } = (typeof request === 'object' && request !== null ? request : {}) as CallJson;
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  const idText = JSON.stringify(id);
  try {
    const method = METHODS.get(String(name));
    if (method === undefined) throw methodNotFound();
    return printResult(idText, await method.answer(chain, paramsOfBody(params, method.params)));
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return [printFault(idText, error)];
  }
}

function joinBatch(answers: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  answers.forEach((answer, i) => {
    parts.push(i === 0 ? OPEN : COMMA, ...answer);
  });
  parts.push(CLOSE);
  return parts;
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

function fault(status: number, id: string | undefined, error: unknown): ReplayAnswer {
  if (!(error instanceof RpcFault)) throw error;
  return { status, contentType: JSON_TYPE, parts: [printFault(id, error)] };
}

function listOfEndpoints(): ReplayAnswer {
  const links = [...METHODS].map(([name, { params }]) => {
    const query = params.map((param) => `${param.name}=_`).join('&');
    return `<a href="/${name}${query === '' ? '' : `?${query}`}">/${name}</a></br>`;
  });
  const page = `<html><body><br>Available endpoints:<br>${links.join('')}</body></html>`;
  return { status: 200, contentType: 'text/html', parts: [Buffer.from(page)] };
}
