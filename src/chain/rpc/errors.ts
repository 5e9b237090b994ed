import { type ErrorFacts, StrataError } from 'strata-kit/errors';
import { excerptOf } from 'strata-kit/excerpt';

/** What a node's refusals mean. The texts are those of CometBFT 0.34 to 0.38 (rpc-errors.json of the recording). */

/** The `error` member of a JSON-RPC answer. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data: string;
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** Codes by which the node says that the request itself is wrong: asking again cannot help. */
const WRONG_REQUEST_CODES = new Set([PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS]);

/** Reads any value of `error`; a member that is missing or of another type becomes empty. */
export function readRpcErrorObject(value: unknown): RpcErrorObject {
  if (typeof value !== 'object' || value === null) return { code: 0, message: String(value), data: '' };
  const { code, message, data } = value as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : '',
    data: typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data),
  };
}

/**
 * The coded error of a JSON-RPC error object (chain.md section 1): results_not_ready, node_lagging,
 * height_pruned with lowestHeight, else node_rpc_error. Only the first 500 characters of the node's text count. Retryable
 * means on this node or another one. A pruned height is not, but a caller that knows other nodes may ask them.
 */
export function classifyRpcError(error: RpcErrorObject, facts: ErrorFacts = {}): StrataError {
  const text = excerptOf(error.data === '' ? error.message : `${error.message}: ${error.data}`);
  if (/could not find results for height/i.test(text)) {
    return new StrataError('results_not_ready', `the node answers: ${text}`, { ...facts, retryable: true });
  }
  if (/must be less than or equal to/i.test(text)) {
    return new StrataError('node_lagging', `the node answers: ${text}`, { ...facts, retryable: true });
  }
  const pruned = /is not available, lowest height is (\d+)/i.exec(text);
  if (pruned !== null) {
    return new StrataError('height_pruned', `the node answers: ${text}`, {
      ...facts,
      retryable: false,
      lowestHeight: Number(pruned[1]),
    });
  }
  const retryable = isThrottling(text) || !WRONG_REQUEST_CODES.has(error.code);
  return new StrataError('node_rpc_error', `the node answers: ${text} (code ${error.code})`, {
    ...facts,
    retryable,
  });
}

/** How many calls a batch may hold, in whatever words a refusal says so. */
export function batchLimitOf(text: string): number | undefined {
  const match = /(?:maxim\w*|\bmax\b|limit\w*|at most|up to|no more than|exceed\w*)\D{0,40}?(\d{1,4})/i.exec(
    text,
  );
  return match === null ? undefined : Number(match[1]);
}

/**
 * The coded error of an HTTP answer that is not a plain success: undefined when status and body say that there
 * is a result. A JSON-RPC error object counts more than the status, since GET errors come with 500 and POST
 * errors with 200.
 */
export function classifyHttpAnswer(
  status: number,
  body: string,
  facts: ErrorFacts = {},
): StrataError | undefined {
  if (status === 429) {
    return new StrataError('node_rpc_error', 'the node answers HTTP 429, too many requests', {
      ...facts,
      retryable: true,
    });
  }
  const answer = parseObject(body);
  if (answer !== undefined && answer.error !== undefined && answer.error !== null) {
    return classifyRpcError(readRpcErrorObject(answer.error), facts);
  }
  if (status >= 200 && status < 300) {
    return body === ''
      ? new StrataError('node_bad_answer', 'the node answers an empty body', { ...facts, retryable: true })
      : undefined;
  }
  const retryable = status >= 500 || status === 408;
  const excerpt = body.slice(0, 200).trim();
  return new StrataError(
    'node_rpc_error',
    `the node answers HTTP ${status}${excerpt === '' ? '' : `: ${excerpt}`}`,
    {
      ...facts,
      retryable,
    },
  );
}

function parseObject(body: string): Record<string, unknown> | undefined {
  if (!body.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    // not JSON: the status speaks for itself
    return undefined;
  }
}

/** A node's or a gateway's words for being asked too much; what is said of batches is about their length. */
export function isThrottling(text: string): boolean {
  if (/batch/i.test(text)) return false;
  return /too many requests|rate limit|throttl|capacity exceeded|server busy|overloaded/i.test(text);
}
