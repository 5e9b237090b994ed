import { Pool } from 'undici';
import type { HeaderFields } from '../node-access.ts';
import { redactUrl } from '../url.ts';
import { createBodyCollector, type HttpAnswer } from './body.ts';
import { HttpFailure } from './failure.ts';
import { ACCEPTED_CODINGS } from './unpack.ts';

/**
 * A service that is asked over HTTP: a node, an indexer. Its answers are bounded in bytes and time. A packed answer is
 * unpacked only where that was asked for, within the same bound. A redirect is a failure. undici's dispatch with
 * pipelining 1: on loopback, for bodies of 400 kB, it took 0.56 ms of CPU a request (both ends), body.arrayBuffer() 0.85,
 * a keep-alive agent of node:http 1.01. HTTP/2 is left out: undici 7.30 reports a stream that the server has reset as the
 * end of a whole body, and sends one POST at a time over a connection.
 */
export interface HttpService {
  /** The URL without its secrets. */
  readonly name: string;
  /** Errors: HttpFailure. An answer of any other status than a redirect is an answer. */
  ask(call: HttpCall, limits: HttpLimits): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** GET of a path below the service's URL, or POST of a JSON text to the URL itself. The URL's query goes with both. */
export type HttpCall = { readonly path: string } | { readonly body: string };

export interface HttpLimits {
  /** Without a byte of the answer, the wait for a connection included. */
  readonly silenceMs: number;
  /** Over everything that comes over the line. */
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpServiceOptions {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** Asked and not answered; more are refused. */
  readonly maxInFlight: number;
  /** Sent with each request. Their values are secret. */
  readonly headers?: HeaderFields | undefined;
  /** PEM certificates that an https service may have instead of the bundled ones. */
  readonly ca?: readonly string[] | undefined;
  /** Asks for gzip, deflate and br, and unpacks them. */
  readonly unpacks?: boolean;
}

/** `user:password@` of the URL is sent as Basic authorization (RFC 7617). */
export function connectHttp(url: string, options: HttpServiceOptions): HttpService {
  const { connections, connectTimeoutMs, maxInFlight, headers, ca, unpacks = false } = options;
  const { origin, pathname, search, username, password } = new URL(url);
  const name = redactUrl(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca: [...ca] }) },
    // the request's own deadlines are the only ones
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const common = {
    'accept-encoding': unpacks ? ACCEPTED_CODINGS : 'identity',
    ...authorization(username, password),
    ...headers,
  };
  const posting = { ...common, 'content-type': 'application/json' };
  const base = pathname.replace(/\/+$/, '');
  let inFlight = 0;

  function pathOf(path: string): string {
    return base + path + (path.includes('?') ? search.replace('?', '&') : search);
  }

  function ask(call: HttpCall, { silenceMs, deadlineMs, maxBodyBytes, signal }: HttpLimits) {
    return new Promise<HttpAnswer>((resolve, reject) => {
      let isSettled = false;
      let stop: ((reason: Error) => void) | undefined;
      const response = createBodyCollector({ maxBodyBytes, unpacks }, name);

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
          : { path: pathOf(call.path), method: 'GET', headers: common },
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

function unreachable(name: string, error: Error): HttpFailure {
  const code = (error as NodeJS.ErrnoException).code;
  const reason = error.message === '' ? (code ?? error.name) : error.message;
  return new HttpFailure('unreachable', `${name} cannot be reached: ${reason}`, error);
}
