/**
 * What the app answers with: `{error, code}` as the indexer's API does, plus codes of its own (answers.md, "Launchpad and
 * desk"). Whatever else is thrown while a request is answered is `internal`, and its text stays in the log.
 */
export const APP_ERRORS = {
  bad_request: 400,
  /** A Host name that is not this app's. */
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  too_many_requests: 429,
  internal: 500,
  /** The chain or the indexer does not answer, or not in time; the same request may succeed later. */
  unavailable: 503,
} as const;

export type AppErrorCode = keyof typeof APP_ERRORS;

export class AppError extends Error {
  readonly code: AppErrorCode;
  /** Of `retry-after`; too_many_requests always has it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: AppErrorCode,
    message: string,
    more: { readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}
