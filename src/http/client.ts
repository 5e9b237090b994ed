import { Pool } from 'undici';
import { ownBytes } from '../core/own-bytes.ts';
import { redactUrl } from '../core/url.ts';

/**
 * A service that is asked over HTTP: a node, an indexer. Its answers are bounded in bytes and time and never unpacked. A
 * redirect is a failure. undici's dispatch with pipelining 1: on loopback, for bodies of 400 kB, it
 * took 0.56 ms of CPU a request (both ends), body.arrayBuffer() 0.85, a keep-alive agent of node:http 1.01.
 */
export interface HttpService {
  /** The URL without its secrets. */
  readonly name: string;
  /** Errors: HttpFailure. An answer of any other status than a redirect is an answer. */
  ask(call: HttpCall, limits: HttpLimits): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** GET of a path below the service's URL, or POST of a JSON text to the URL itself. */
export type HttpCall = { readonly path: string } | { readonly body: string };

export interface HttpLimits {
  /** Without a byte of the answer, the wait for a connection included. */
  readonly silenceMs: number;
  /** Over everything. */
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Of the header retry-after, when it is a number of seconds. */
  readonly retryAfterMs: number | undefined;
  /** Over memory of its own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface HttpServiceOptions {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** Asked and not answered; more are refused. */
  readonly maxInFlight: number;
}

export type HttpFailureKind =
  | 'aborted'
  | 'timeout'
  | 'unreachable'
  | 'busy'
  | 'redirect'
  /** In an encoding that was not asked for; it would have to be unpacked. */
  | 'encoded'
  | 'too_large';

/** The message names the service, without its secrets. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;

  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HttpFailure';
    this.kind = kind;
  }
}

/** `user:password@` of the URL is sent as Basic authorization (RFC 7617). */
export function connectHttp(url: string, options: HttpServiceOptions): HttpService {
  const { connections, connectTimeoutMs, maxInFlight } = options;
  const { origin, pathname, search, username, password } = new URL(url);
  const name = redactUrl(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    // the request's own deadlines are the only ones
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const common = { 'accept-encoding': 'identity', ...authorization(username, password) };
  const posting = { ...common, 'content-type': 'application/json' };
  const base = pathname.replace(/\/+$/, '');
  let inFlight = 0;

  function ask(call: HttpCall, { silenceMs, deadlineMs, maxBodyBytes, signal }: HttpLimits) {
    return new Promise<HttpAnswer>((resolve, reject) => {
      let isSettled = false;
      let stop: ((reason: Error) => void) | undefined;
      const response = createBodyCollector(maxBodyBytes, name);

      function settle(finish: () => void): void {
        if (isSettled) return;
        isSettled = true;
        inFlight--;
        clearTimeout(silence);
        clearTimeout(deadline);
        signal?.removeEventListener('abort', onAbort);
        finish();
      }
      function fail(error: HttpFailure): void {
        settle(() => reject(error));
        stop?.(error);
      }
      function onAbort(): void {
        fail(new HttpFailure('aborted', 'the request was stopped'));
      }
      function failLate(what: string, ms: number): void {
        fail(new HttpFailure('timeout', `${name} did not ${what} within ${ms} ms`));
      }
      if (inFlight >= maxInFlight) {
        reject(new HttpFailure('busy', `${name} has ${inFlight} requests to answer already`));
        return;
      }
      inFlight++;
      const silence = setTimeout(() => failLate('answer', silenceMs), silenceMs);
      const deadline = setTimeout(() => failLate('finish its answer', deadlineMs), deadlineMs);
      if (signal?.aborted === true) return onAbort();
      signal?.addEventListener('abort', onAbort);

      pool.dispatch(
        'body' in call
          ? { path: pathname + search, method: 'POST', headers: posting, body: call.body }
          : { path: base + call.path, method: 'GET', headers: common },
        {
          onRequestStart: (controller) => {
            stop = (reason) => controller.abort(reason);
            if (isSettled) controller.abort(new Error('too late'));
          },
          onResponseStart: (_controller, status, headers) => {
            const error = response.start(status, headers);
            if (error !== undefined) fail(error);
          },
          onResponseData: (_controller, chunk) => {
            if (isSettled) return;
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

  return { name, ask, close: () => pool.destroy() };
}

function authorization(username: string, password: string): { readonly authorization?: string } {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface BodyCollector {
  /** An error when the answer is none to take. */
  start(status: number, headers: Headers): HttpFailure | undefined;
  /** An error when the body grows beyond its limit. */
  push(chunk: Uint8Array): HttpFailure | undefined;
  finish(): HttpAnswer;
}

/** Writes chunks to their place at once when the length is announced, else joins them at the end. */
function createBodyCollector(maxBodyBytes: number, name: string): BodyCollector {
  let status = 0;
  let retryAfterMs: number | undefined;
  let announced: Uint8Array<ArrayBuffer> | undefined;
  let chunks: Uint8Array[] = [];
  let byteLength = 0;
  const tooLarge = () => new HttpFailure('too_large', `${name} answers with more than ${maxBodyBytes} bytes`);
  return {
    start: (givenStatus, headers) => {
      status = givenStatus;
      if (status >= 300 && status < 400) {
        return new HttpFailure(
          'redirect',
          `${name} answers with a redirect (HTTP ${status}), which is not followed`,
        );
      }
      const coding = String(headers['content-encoding'] ?? 'identity');
      if (coding.toLowerCase() !== 'identity') {
        return new HttpFailure('encoded', `${name} answers in an encoding that was not asked for`);
      }
      retryAfterMs = readSeconds(headers['retry-after']);
      const length = Number(headers['content-length'] ?? Number.NaN);
      if (length > maxBodyBytes) return tooLarge();
      announced = length > 0 ? new Uint8Array(length) : undefined;
      chunks = [];
      byteLength = 0;
      return undefined;
    },
    push: (chunk) => {
      if (byteLength + chunk.length > maxBodyBytes) return tooLarge();
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

function unreachable(name: string, error: Error): HttpFailure {
  const code = (error as NodeJS.ErrnoException).code;
  const reason = error.message === '' ? (code ?? error.name) : error.message;
  return new HttpFailure('unreachable', `${name} cannot be reached: ${reason}`, error);
}
