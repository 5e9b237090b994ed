import { utf8ToBytes } from 'strata-kit/bytes';
import { isStrataError } from 'strata-kit/errors';
import { NOT_SHOWN_YET } from './as-of.ts';
import { DEADLINE_PASSED, OVERLOADED } from './readers.ts';
import type { BodyPart } from './route.ts';

export type AnswerHeader = readonly [name: string, value: string];

/** A finished HTTP answer. */
export interface HttpAnswer {
  /** 304 has no body. */
  readonly status: 200 | 304 | 400 | 404 | 405 | 500 | 503;
  readonly headers: readonly AnswerHeader[];
  /** What headerBlock makes of `headers`, where an answer is given more than once. */
  readonly headerBlock?: string;
  readonly body: Uint8Array;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

const STATUS_OF = { bad_request: 400, not_found: 404, method_not_allowed: 405, internal: 500 } as const;
export type ApiErrorCode = keyof typeof STATUS_OF;

/**
 * The value of the first header with all others behind it, as they stand on the wire: one call into the socket layer
 * instead of one a header. No value here comes from a client.
 */
export function headerBlock(headers: readonly AnswerHeader[]): string {
  let block = headers[0]?.[1] ?? '';
  for (const [name, value] of headers.slice(1)) block += `\r\n${name}: ${value}`;
  return block;
}

const NO_STORE: AnswerHeader = ['cache-control', 'no-store'];
const RETRY_AFTER_SECONDS = '1';

/** A 200 of this instant, which no cache keeps. Others are resources (resource.ts). */
export function okAnswer(parts: readonly BodyPart[], contentType = JSON_TYPE): HttpAnswer {
  return { status: 200, headers: [['content-type', contentType], NO_STORE], body: joinParts(parts) };
}

/** api.md section 7: `{error, code}`. */
export function errorAnswer(code: ApiErrorCode, message: string): HttpAnswer {
  const headers: AnswerHeader[] = [['content-type', JSON_TYPE], NO_STORE];
  if (code === 'method_not_allowed') headers.push(['allow', 'GET']);
  return { status: STATUS_OF[code], headers, body: errorBody(code, message) };
}

/** For what passes by itself. The contract has four codes, of which `internal` is the server's own. */
export function unavailableAnswer(message: string): HttpAnswer {
  const headers: AnswerHeader[] = [
    ['content-type', JSON_TYPE],
    NO_STORE,
    ['retry-after', RETRY_AFTER_SECONDS],
  ];
  return { status: 503, headers, body: errorBody('internal', message) };
}

function errorBody(code: ApiErrorCode, message: string): Uint8Array {
  return utf8ToBytes(JSON.stringify({ error: message, code }));
}

/**
 * The answer to a failed request. `foreseen` is false for what the operator should hear of; its message
 * never leaves the process, since it may hold SQL, paths or a stack.
 */
export function answerToError(error: unknown): { readonly answer: HttpAnswer; readonly foreseen: boolean } {
  if (isStrataError(error)) {
    const { code, message } = error;
    if (code === 'bad_request' || code === 'not_found' || code === 'method_not_allowed') {
      return { answer: errorAnswer(code, message), foreseen: true };
    }
    if (code === 'store_busy' || (code === 'internal' && message === OVERLOADED)) {
      return { answer: unavailableAnswer(OVERLOADED), foreseen: false };
    }
    if (code === 'internal' && message === NOT_SHOWN_YET) {
      return { answer: unavailableAnswer(message), foreseen: true };
    }
    if (code === 'internal' && message === DEADLINE_PASSED) {
      return { answer: errorAnswer('internal', message), foreseen: false };
    }
  }
  return { answer: errorAnswer('internal', 'internal error'), foreseen: false };
}

export function joinParts(parts: readonly BodyPart[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
}
