import { expect } from 'vitest';
import type { HttpAnswer } from '../../../src/api/answer.ts';
import { routes, validateAnswer, validateHeaders } from '../../support/contract.ts';

/** Answers as a client sees them, each held against openapi.yaml before a test looks at it. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Parsed JSON; the text of /openapi.yaml. */
  readonly json: unknown;
  readonly text: string;
}

export interface ErrorBody {
  readonly error: string;
  readonly code: string;
}

const ERROR_CODES = new Map([
  [400, 'bad_request'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [500, 'internal'],
  [503, 'internal'],
]);
/** A target that no route matches is answered as any route's 404 is. */
const ANY_ROUTE = '/v1/status';
const templates = routes().map(({ path }) => path.split('/'));

/** The answer, after it has been held against the contract: headers, UTF-8, JSON, schema, and the error's code. */
export function checkAnswer(target: string, answer: HttpAnswer): Answer {
  const headers = new Map(answer.headers);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
  const isYaml = headers.get('content-type') === 'application/yaml';
  const json: unknown = isYaml ? text : JSON.parse(text);
  const route = routeOf(target);
  if (route === undefined) expect([400, 404, 405], target).toContain(answer.status);
  const faults = validateAnswer(route ?? ANY_ROUTE, answer.status, json);
  if (faults.length > 0) expect(faults, `${answer.status} ${target} ${text.slice(0, 300)}`).toEqual([]);
  expect(validateHeaders(route ?? ANY_ROUTE, answer.status, headers), target).toEqual([]);
  if (answer.status !== 200) checkError(target, answer.status, headers, json as ErrorBody);
  else expect(isYaml).toBe(route === '/openapi.yaml');
  if (!isYaml) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { status: answer.status, headers, json, text };
}

function checkError(target: string, status: number, headers: Answer['headers'], body: ErrorBody): void {
  expect(body.code, target).toBe(ERROR_CODES.get(status));
  expect(headers.get('allow')).toBe(status === 405 ? 'GET' : undefined);
  expect(body.error, target).not.toBe('');
  if (/SELECT|DB::|\/[\w-]+\.[cm]?[jt]s\b|\n/.test(body.error))
    expect.unreachable(`${target}: ${body.error}`);
}

/** The template that the target's path has the shape of, without the normalizing that URL parsers do. */
export function routeOf(target: string): string | undefined {
  const path = target.split('?')[0] ?? '';
  const segments = path.split('/').map(decoded);
  const fitting = templates.filter(
    (template) =>
      template.length === segments.length &&
      template.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i])),
  );
  const literalFirst = fitting.sort((a, b) => parameters(a) - parameters(b));
  return literalFirst[0]?.join('/');
}

function parameters(template: readonly string[]): number {
  return template.filter((part) => part.startsWith('{')).length;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
