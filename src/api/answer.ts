import { utf8ToBytes } from '../core/bytes.ts';
import { isStrataError } from '../core/errors.ts';
import { DEADLINE_PASSED, OVERLOADED } from './readers.ts';
import type { BodyPart } from './route.ts';

/** A finished HTTP answer. */
export interface HttpAnswer {
  readonly status: 200 | 400 | 404 | 405 | 500;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

const STATUS_OF = { bad_request: 400, not_found: 404, method_not_allowed: 405, internal: 500 } as const;
export type ApiErrorCode = keyof typeof STATUS_OF;

/** What a client may read of an internal error; everything else is `internal error`. */
const PUBLIC_INTERNAL_MESSAGES: readonly string[] = [OVERLOADED, DEADLINE_PASSED];

export function okAnswer(parts: readonly BodyPart[], contentType = JSON_TYPE): HttpAnswer {
  return { status: 200, headers: [['content-type', contentType]], body: joinParts(parts) };
}

/** api.md section 7: `{error, code}`. */
export function errorAnswer(code: ApiErrorCode, message: string): HttpAnswer {
  const headers: [string, string][] = [['content-type', JSON_TYPE]];
  if (code === 'method_not_allowed') headers.push(['allow', 'GET']);
  return { status: STATUS_OF[code], headers, body: utf8ToBytes(JSON.stringify({ error: message, code })) };
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
    if (code === 'internal' && PUBLIC_INTERNAL_MESSAGES.includes(message)) {
      return { answer: errorAnswer('internal', message), foreseen: false };
    }
  }
  return { answer: errorAnswer('internal', 'internal error'), foreseen: false };
}

function joinParts(parts: readonly BodyPart[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
}
