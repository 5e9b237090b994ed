import type { Json, JsonObject } from '../json.ts';
import type { Caller } from '../simulation/simulations.ts';
import { CODES, EthereumError } from './errors.ts';
import { createSlices } from './lane.ts';
import { METHODS } from './methods.ts';
import type { EthereumNode } from './node.ts';

/** One HTTP body, a call or a batch, to the body of its answer; without a socket. */

/** go-ethereum's limit of a batch. */
export const MAX_BATCH = 1_000;

export interface Answering {
  /** What nobody foresaw: the answer is -32603. */
  readonly onError: (error: unknown) => void;
  readonly caller: Caller;
}

/** Undefined where nothing is answered: notifications. */
export async function answerBody(
  node: EthereumNode,
  body: string,
  options: Answering,
): Promise<string | undefined> {
  let request: Json;
  try {
    request = JSON.parse(body) as Json;
  } catch {
    // the reason is the parser's own
    return JSON.stringify(failure(null, new EthereumError(CODES.parse, 'parse error')));
  }
  if (!Array.isArray(request)) {
    const answer = await answerCall(node, request, options);
    return answer === undefined ? undefined : JSON.stringify(answer);
  }
  const calls = request as readonly Json[];
  if (calls.length === 0)
    return JSON.stringify(failure(null, new EthereumError(CODES.request, 'empty batch')));
  if (calls.length > MAX_BATCH)
    return JSON.stringify(failure(null, new EthereumError(CODES.request, 'batch too large')));
  const answers: JsonObject[] = [];
  const slices = createSlices(node.lane, options.caller.client);
  for (const one of calls) {
    await slices.step();
    if (options.caller.signal?.aborted === true) return undefined;
    const answer = await answerCall(node, one, options);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : JSON.stringify(answers);
}

async function answerCall(
  node: EthereumNode,
  request: Json,
  { onError, caller }: Answering,
): Promise<JsonObject | undefined> {
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    return failure(null, new EthereumError(CODES.request, 'invalid request'));
  const { id, method, params } = request as JsonObject;
  const answered = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (typeof method !== 'string')
    return failure(answered, new EthereumError(CODES.request, 'invalid request'));
  try {
    const run = METHODS.get(method);
    if (run === undefined)
      throw new EthereumError(CODES.method, `the method ${method} does not exist/is not available`);
    if (params !== undefined && params !== null && !Array.isArray(params))
      throw new EthereumError(CODES.params, 'non-array args');
    const result = await run(node, (params ?? []) as readonly Json[], caller);
    return id === undefined ? undefined : { jsonrpc: '2.0', id: answered, result };
  } catch (error) {
    if (error instanceof EthereumError) return failure(answered, error);
    onError(error);
    return failure(answered, new EthereumError(CODES.internal, 'internal error'));
  }
}

function failure(id: Json, { code, message, data }: EthereumError): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
