import { Pool } from 'undici';
import { StrataError } from '../../core/errors.ts';
import { ownBytes } from '../own-bytes.ts';

/**
 * One node's JSON-RPC address. undici's dispatch with pipelining 1: on loopback, for bodies of 400 kB, it took
 * 0.56 ms of CPU a request (both ends), body.arrayBuffer() 0.85, a keep-alive agent of node:http 1.01.
 */
export interface HttpNode {
  /** The URL without its secrets. */
  readonly name: string;
  /**
   * One POST with a deadline from waiting for a connection to the next byte, and one over everything.
   * Errors: node_timeout, node_unreachable (refused, dropped, cut short), node_bad_answer (too large), aborted.
   */
  post(body: string, limits: PostLimits): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface PostLimits {
  /** Without a byte of the answer; the whole may take TOTAL_FACTOR times as long. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A large answer over a slow line is no failure as long as it goes on. */
const TOTAL_FACTOR = 8;

export interface HttpAnswer {
  readonly status: number;
  /** Of the header retry-after, when it is a number of seconds. */
  readonly retryAfterMs: number | undefined;
  /** Over memory of its own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The cause of the error for a body beyond maxBodyBytes. */
export const TOO_LARGE: object = { tooLarge: true };

export function createHttpNode(
  url: string,
  name: string,
  connections: number,
  connectTimeoutMs: number,
): HttpNode {
  const { origin, pathname, search, username, password } = new URL(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    // the request's own deadline is the only one
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    'content-type': 'application/json',
    ...(username === '' && password === ''
      ? {}
      : { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
  };

  function post(body: string, { timeoutMs, maxBodyBytes, signal }: PostLimits): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      let isSettled = false;
      let stop: ((reason: Error) => void) | undefined;
      const response = createBodyCollector(maxBodyBytes, name);

      function settle(finish: () => void): void {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(silence);
        clearTimeout(deadline);
        signal?.removeEventListener('abort', onAbort);
        finish();
      }
      function fail(error: StrataError): void {
        settle(() => reject(error));
        stop?.(error);
      }
      function onAbort(): void {
        fail(new StrataError('aborted', 'the request was stopped'));
      }
      function failLate(reason: string): void {
        fail(new StrataError('node_timeout', `${name} ${reason}`, { node: name, retryable: true }));
      }
      const totalMs = timeoutMs * TOTAL_FACTOR;
      const silence = setTimeout(() => failLate(`did not answer within ${timeoutMs} ms`), timeoutMs);
      const deadline = setTimeout(() => failLate(`did not finish its answer within ${totalMs} ms`), totalMs);
      if (signal?.aborted === true) return onAbort();
      signal?.addEventListener('abort', onAbort);

      pool.dispatch(
        { path: pathname + search, method: 'POST', headers, body },
        {
          onRequestStart: (controller) => {
            stop = (reason) => controller.abort(reason);
            if (isSettled) controller.abort(new Error('too late'));
          },
          onResponseStart: (_controller, status, responseHeaders) => response.start(status, responseHeaders),
          onResponseData: (_controller, chunk) => {
            silence.refresh();
            const error = response.push(chunk);
            if (error !== undefined) fail(error);
          },
          onResponseEnd: () => settle(() => resolve(response.finish())),
          onResponseError: (_controller, error) => fail(unreachable(name, error)),
        },
      );
    });
  }

  return { name, post, close: () => pool.destroy() };
}

interface BodyCollector {
  start(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void;
  /** An error when the body grows beyond its limit. */
  push(chunk: Uint8Array): StrataError | undefined;
  finish(): HttpAnswer;
}

/** Writes chunks to their place at once when the length is announced, else joins them at the end. */
function createBodyCollector(maxBodyBytes: number, name: string): BodyCollector {
  let status = 0;
  let retryAfterMs: number | undefined;
  let announced: Uint8Array<ArrayBuffer> | undefined;
  let chunks: Uint8Array[] = [];
  let byteLength = 0;
  return {
    start: (givenStatus, headers) => {
      status = givenStatus;
      retryAfterMs = readSeconds(headers['retry-after']);
      const length = Number(headers['content-length'] ?? Number.NaN);
      announced = length > 0 && length <= maxBodyBytes ? new Uint8Array(length) : undefined;
      chunks = [];
      byteLength = 0;
    },
    push: (chunk) => {
      if (byteLength + chunk.length > maxBodyBytes) {
        const reason = `${name} answers with more than ${maxBodyBytes} bytes`;
        return new StrataError('node_bad_answer', reason, {
          node: name,
          retryable: true,
          cause: TOO_LARGE,
        });
      }
      if (announced === undefined) chunks.push(chunk);
      else announced.set(chunk, byteLength);
      byteLength += chunk.length;
      return undefined;
    },
    finish: () => ({ status, retryAfterMs, bytes: announced ?? ownBytes(chunks) }),
  };
}

function readSeconds(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

function unreachable(name: string, error: Error): StrataError {
  if (error instanceof StrataError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const reason = error.message === '' ? (code ?? error.name) : error.message;
  return new StrataError('node_unreachable', `${name} cannot be reached: ${reason}`, {
    node: name,
    retryable: true,
    cause: error,
  });
}
