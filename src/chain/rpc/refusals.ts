import { asBuffer, bytesToLatin1, bytesToUtf8 } from 'strata-kit/bytes';
import { type ErrorFacts, StrataError } from 'strata-kit/errors';
import type { HttpAnswer } from 'strata-kit/http/body';
import { endOfValue, JsonSpanError, skipBlanks, walkArray } from '../json-spans.ts';
import { badAnswer } from './calls.ts';
import type { Refusal } from './dialect.ts';
import { batchLimitOf, classifyHttpAnswer, isThrottling } from './errors.ts';

/** What an answer says of the form of its request, beside what it says of the chain. */

/** Beyond it a body is no message of a gateway. */
const MESSAGE_BYTES = 4_096;
const READ_BYTES = 100_000;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
export const UNAVAILABLE = 503;
const NOT_IMPLEMENTED = 501;

/** An answer by which the node or its gateway asks to be left alone: by status, by Retry-After, or in words. */
export function throttlingOf(answer: HttpAnswer, facts: ErrorFacts): StrataError | undefined {
  const { status, bytes, retryAfterMs } = answer;
  const isWish = status === TOO_MANY_REQUESTS || (status === UNAVAILABLE && retryAfterMs !== undefined);
  if (!isWish && !(bytes.length < MESSAGE_BYTES && isRefusing(answer) && saysSo(bytes))) return undefined;
  const text = isWish ? `HTTP ${status}, too many requests` : excerptOf(bytes);
  return new StrataError('node_rpc_error', `the node answers ${text}`, {
    ...facts,
    retryable: true,
    cause: { isThrottled: true, retryAfterMs },
  });
}

function isRefusing({ status, bytes }: HttpAnswer): boolean {
  return status >= 400 || bytes[0] === OPEN_BRACE;
}

function saysSo(bytes: Uint8Array): boolean {
  const text = bytesToUtf8(bytes);
  // a result may hold any words
  return isThrottling(text) && !text.includes('"result"');
}

/** What can be known of a batch's answer without reading its values. Errors: as classifyHttpAnswer, node_bad_answer. */
export function checkBatchAnswer(answer: HttpAnswer, calls: number, facts: ErrorFacts): void {
  const { status, bytes } = answer;
  const isArray = bytes[0] === OPEN_BRACKET;
  const isWhole = isArray && bytes[bytes.length - 1] === CLOSE_BRACKET;
  if (status === 200 && isWhole) {
    const found = countAnswers(bytes, calls);
    if (found === undefined || found >= calls) return;
    throw refused(badAnswer(`a batch of ${calls} calls has ${found} answers`, facts), { kind: 'certain' });
  }
  const error = classifyHttpAnswer(status, bytesToUtf8(bytes.subarray(0, READ_BYTES)), facts);
  const failure = error ?? badAnswer('a batch is not answered by a JSON array', facts);
  const refusal = refusalOfBatch(answer, error, calls);
  throw refusal === undefined ? failure : refused(failure, refusal);
}

function refusalOfBatch(
  { status, bytes }: HttpAnswer,
  error: StrataError | undefined,
  calls: number,
): Refusal | undefined {
  // of an array only its end can be missing, whose cut is no refusal
  if (status < 400 && bytes[0] === OPEN_BRACKET) return undefined;
  if (error !== undefined && CHAIN_CODES.has(error.code)) return undefined;
  const isCertain = isRefusingStatus(status) || (status < 400 && bytes[0] === OPEN_BRACE);
  if (!isCertain) return { kind: 'likely' };
  const limit = batchLimitOf(error?.message ?? '');
  return { kind: 'certain', ...(limit !== undefined && limit < calls ? { limit } : {}) };
}

/** Errors: those of classifyHttpAnswer where the answer does not speak for the node, marked as refused. */
export function checkSingleAnswer(answer: HttpAnswer, isByPath: boolean, facts: ErrorFacts): void {
  const { status, bytes } = answer;
  const isObject = bytes[skipBlankBytes(bytes)] === OPEN_BRACE;
  if (status < 400 && isObject) return;
  const text = bytesToUtf8(bytes.subarray(0, READ_BYTES));
  // GET errors of a call come with 500
  if (isByPath && isObject && text.includes('"jsonrpc"')) return;
  const error = classifyHttpAnswer(status, text, facts) ?? badAnswer('a call is not answered by JSON', facts);
  if (CHAIN_CODES.has(error.code)) throw error;
  const isCertain = isRefusingStatus(status) || (status < 400 && bytes.length > 0);
  throw refused(error, { kind: isCertain ? 'certain' : 'likely' });
}

/** What a node says of heights, whatever the form of the request. */
const CHAIN_CODES: ReadonlySet<string> = new Set(['results_not_ready', 'node_lagging', 'height_pruned']);

function isRefusingStatus(status: number): boolean {
  return (status >= 400 && status < 500 && status !== REQUEST_TIMEOUT) || status === NOT_IMPLEMENTED;
}

/** The same error with what it says of the request's form. */
export function refused(error: StrataError, refusal: Refusal): StrataError {
  const { code, message, retryable, height, lowestHeight, node } = error;
  return new StrataError(code, message, {
    retryable,
    ...(height === undefined ? {} : { height }),
    ...(lowestHeight === undefined ? {} : { lowestHeight }),
    ...(node === undefined ? {} : { node }),
    cause: { refusal },
  });
}

/** The last call's id is found at once in what nodes print. Undefined where the text breaks: its reader finds that. */
function countAnswers(bytes: Uint8Array, calls: number): number | undefined {
  const last = asBuffer(bytes).lastIndexOf(`"id":${calls - 1},"`, undefined, 'latin1');
  if (last >= 0) return calls;
  const text = bytesToLatin1(bytes);
  let count = 0;
  try {
    walkArray(text, skipBlanks(text, 0), (start) => {
      count++;
      return endOfValue(text, start);
    });
  } catch (error) {
    if (error instanceof JsonSpanError) return undefined;
    throw error;
  }
  return count;
}

function skipBlankBytes(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++;
  return at;
}

function excerptOf(bytes: Uint8Array): string {
  return bytesToUtf8(bytes.subarray(0, 200)).trim();
}
