import type { Logger } from 'pino';
import { ClientError } from 'strata-kit/client/errors';
import { createThrottledWarning } from 'strata-kit/throttled-warning';
import { APP_ERRORS, AppError, type AppErrorCode } from './errors.ts';
import { SenderUnknown } from './sender.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly code: AppErrorCode };
}

/**
 * What a client is told of an error. `what` (method and path) names the request in the log, where a defect's text stays,
 * and where it stands that something does not answer.
 */
export function createErrorAnswers(log: Logger): (error: unknown, what: string) => ErrorAnswer {
  const unanswered = createThrottledWarning(log, 'a request could not be answered');
  return (error, what) => {
    const told = foreseen(error);
    if (told.code === 'internal') log.error({ err: error, request: what }, 'a request failed by a defect');
    if (told.code === 'unavailable') unanswered(error, { request: what });
    return answerOf(told);
  };
}

function answerOf(told: AppError): ErrorAnswer {
  const headers = told.retryAfterSeconds === undefined ? {} : { 'retry-after': `${told.retryAfterSeconds}` };
  return { status: APP_ERRORS[told.code], headers, body: { error: told.message, code: told.code } };
}

function foreseen(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ClientError && error.kind === 'busy') {
    return new AppError('too_many_requests', 'the chain is busy', { retryAfterSeconds: 1, cause: error });
  }
  if (error instanceof ClientError && error.kind !== 'input') {
    return new AppError('unavailable', 'the chain does not answer', { cause: error });
  }
  if (error instanceof SenderUnknown) return new AppError('unavailable', error.message, { cause: error });
  return ofServer(error) ?? new AppError('internal', 'this failed by a defect of the app', { cause: error });
}

/** What fastify refuses by itself, before a route is asked. */
function ofServer(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode, code = '' } = error as Error & { statusCode?: number; code?: string };
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  if (statusCode === 413) return new AppError('payload_too_large', 'the body is too large');
  if (statusCode === 415)
    return new AppError('bad_request', 'the body must be JSON: content-type application/json');
  // its own texts name what is wrong; a library's may name anything
  const isNamed = code.startsWith('FST_ERR_');
  return new AppError('bad_request', isNamed ? error.message : 'the request cannot be read');
}
