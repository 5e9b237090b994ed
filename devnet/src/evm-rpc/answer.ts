import type { Holding } from 'strata-kit/holding';
import type { Caller } from 'strata-kit/http/caller';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { type AnswerText, createAnswerText } from './answer-text.ts';
import { CODES, EthereumError } from './errors.ts';
import { METHODS, PRINTERS } from './methods.ts';
import type { EthereumNode } from './node.ts';

/** One HTTP body, a call or a batch, to the body of its answer; without a socket. */

/** go-ethereum's limits of a batch; here the second one is for a single answer too. */
export const MAX_BATCH = 1_000;
export const MAX_ANSWER_BYTES = 25_000_000;

export interface Answering {
  /** What nobody foresaw: the answer is -32603. */
  readonly onError: (error: unknown) => void;
  readonly caller: Caller;
  /** Counts the answer's bytes. */
  readonly holding: Holding;
}

/**
 * Undefined where nothing is answered: notifications, and clients that are gone. Errors: EthereumError -32005, where the
 * server holds so much that not even this answer's errors fit.
 */
export async function answerBody(
  node: EthereumNode,
  body: string,
  options: Answering,
): Promise<readonly Uint8Array[] | undefined> {
  const text = createAnswerText(options.holding);
  await node.lane.step(options.caller.client);
  let request: Json;
  try {
    request = JSON.parse(body) as Json;
  } catch {
    // the reason is the parser's own
    return one(text, failure(null, new EthereumError(CODES.parse, 'parse error')));
  }
  if (!Array.isArray(request)) {
    const outcome = await answerCall(node, request, '', text, options);
    return outcome === 'silent' ? undefined : text.finish();
  }
  const calls = request as readonly Json[];
  if (calls.length === 0) return one(text, failure(null, new EthereumError(CODES.request, 'empty batch')));
  if (calls.length > MAX_BATCH)
    return one(text, failure(null, new EthereumError(CODES.request, 'batch too large')));
  let hasAnswers = false;
  let isFull = false;
  for (const call of calls) {
    await node.lane.step(options.caller.client);
    if (options.caller.signal?.aborted === true) return undefined;
    const before = hasAnswers ? ',' : '[';
    const outcome = isFull
      ? refuseCall(call, before, text)
      : await answerCall(node, call, before, text, options);
    if (outcome !== 'silent') hasAnswers = true;
    if (outcome === 'too large') isFull = true;
  }
  if (!hasAnswers) return undefined;
  text.write(']');
  return text.finish();
}

function one(text: AnswerText, answer: JsonObject): readonly Uint8Array[] {
  text.write(JSON.stringify(answer));
  return text.finish();
}

type Outcome = 'answered' | 'silent' | 'too large';

/** Writes the answer with `before` ahead of it. */
async function answerCall(
  node: EthereumNode,
  request: Json,
  before: string,
  text: AnswerText,
  { onError, caller }: Answering,
): Promise<Outcome> {
  const start = text.mark();
  function fail(id: Json, error: EthereumError): Outcome {
    text.revert(start);
    text.write(before + JSON.stringify(failure(id, error)));
    return error.code === CODES.tooLarge ? 'too large' : 'answered';
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    return fail(null, new EthereumError(CODES.request, 'invalid request'));
  const { id, method, params } = request as JsonObject;
  const answered = idOf(id);
  if (typeof method !== 'string') return fail(answered, new EthereumError(CODES.request, 'invalid request'));
  try {
    if (!METHODS.has(method) && !PRINTERS.has(method))
      throw new EthereumError(CODES.method, `the method ${method} does not exist/is not available`);
    if (params !== undefined && params !== null && !Array.isArray(params))
      throw new EthereumError(CODES.params, 'non-array args');
    text.write(`${before}{"jsonrpc":"2.0","id":${JSON.stringify(answered)},"result":`);
    for await (const piece of run(node, method, (params ?? []) as readonly Json[], caller)) {
      text.write(piece);
      if (text.length > MAX_ANSWER_BYTES) throw tooLarge();
      await node.lane.step(caller.client);
      if (caller.signal?.aborted === true) return 'silent';
    }
    text.write('}');
  } catch (error) {
    if (error instanceof EthereumError) return fail(answered, error);
    onError(error);
    return fail(answered, new EthereumError(CODES.internal, 'internal error'));
  }
  if (id !== undefined) return 'answered';
  text.revert(start);
  return 'silent';
}

/** Once a batch has no room left. */
function refuseCall(request: Json, before: string, text: AnswerText): Outcome {
  const isCall = typeof request === 'object' && request !== null && !Array.isArray(request);
  const id = isCall ? (request as JsonObject).id : null;
  if (id === undefined) return 'silent';
  text.write(before + JSON.stringify(failure(idOf(id), tooLarge())));
  return 'too large';
}

/** The result's text, in pieces. */
async function* run(
  node: EthereumNode,
  method: string,
  params: readonly Json[],
  caller: Caller,
): AsyncGenerator<string> {
  const answer = METHODS.get(method);
  if (answer !== undefined) yield JSON.stringify(await answer(node, params, caller));
  else yield* PRINTERS.get(method)?.(node, params, caller) ?? [];
}

function tooLarge(): EthereumError {
  return new EthereumError(CODES.tooLarge, `response too large: more than ${MAX_ANSWER_BYTES} bytes`);
}

function idOf(id: Json | undefined): Json {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function failure(id: Json, { code, message, data }: EthereumError): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
