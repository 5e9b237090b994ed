/** An answer that is no 200, or none: what pages say instead of what they were to show. */
export class AskError extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  /** Of the contract (`not_found`, …), or `offline`. */
  readonly code: string;
  /** After which it may be asked again, where that was told. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'AskError';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function asAskError(error: unknown): AskError {
  if (error instanceof AskError) return error;
  return new AskError(0, 'offline', error instanceof Error ? error.message : String(error));
}
