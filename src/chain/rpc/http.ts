import { type ErrorCode, StrataError } from 'strata-kit/errors';
import type { HttpAnswer } from 'strata-kit/http/body';
import { connectHttp, type HttpCall, type HttpServiceOptions } from 'strata-kit/http/client';
import { HttpFailure, type HttpFailureKind } from 'strata-kit/http/failure';
import type { AnswerCause } from './answer-cause.ts';

/** One node's JSON-RPC address. */
export interface HttpNode {
  /** The URL without its secrets. */
  readonly name: string;
  /**
   * One request with a deadline from waiting for a connection to the next byte, and one over everything.
   * Errors: node_timeout, node_unreachable (refused, dropped, cut short), node_bad_answer (too large, encoded,
   * a redirect), aborted.
   */
  ask(call: HttpCall, limits: AskLimits): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface AskLimits {
  /** Without a byte of the answer; the whole may take TOTAL_FACTOR times as long. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A large answer over a slow line is no failure as long as it goes on. */
const TOTAL_FACTOR = 8;
/** Far more than the source's queues let through. */
const MAX_IN_FLIGHT = 1_000;

/** The cause of the error for a body beyond maxBodyBytes. */
export const TOO_LARGE: object = { tooLarge: true };

/** The cause where a connection ended before an answer did. */
const DROPPED: AnswerCause = { refusal: { kind: 'likely' } };
const DROPPED_CODES: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const CODES: Readonly<Record<HttpFailureKind, ErrorCode>> = {
  aborted: 'aborted',
  timeout: 'node_timeout',
  unreachable: 'node_unreachable',
  busy: 'node_unreachable',
  too_large: 'node_bad_answer',
  redirect: 'node_bad_answer',
  encoded: 'node_bad_answer',
};

/** Packed answers are taken where the node or a proxy before it offers them. */
export function createHttpNode(
  url: string,
  options: Pick<HttpServiceOptions, 'connections' | 'connectTimeoutMs' | 'headers' | 'ca'>,
): HttpNode {
  const service = connectHttp(url, { ...options, maxInFlight: MAX_IN_FLIGHT, unpacks: true });
  const { name } = service;
  return {
    name,
    async ask(call, { timeoutMs, maxBodyBytes, signal }) {
      const limits = { silenceMs: timeoutMs, deadlineMs: timeoutMs * TOTAL_FACTOR, maxBodyBytes, signal };
      try {
        return await service.ask(call, limits);
      } catch (error) {
        throw error instanceof HttpFailure ? codedError(error, name) : error;
      }
    },
    close: () => service.close(),
  };
}

function codedError({ kind, message, cause }: HttpFailure, node: string): StrataError {
  if (kind === 'aborted') return new StrataError('aborted', message);
  return new StrataError(CODES[kind], message, {
    node,
    // the same node would lead elsewhere again
    retryable: kind !== 'redirect',
    cause: kind === 'too_large' ? TOO_LARGE : kind === 'unreachable' && isDropped(cause) ? DROPPED : cause,
  });
}

function isDropped(cause: unknown): boolean {
  return DROPPED_CODES.has((cause as NodeJS.ErrnoException | undefined)?.code);
}
