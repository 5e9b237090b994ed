import type { Refusal } from './dialect.ts';

/** What an error's cause says of the answer: it decides about the next request. */
export interface AnswerCause {
  /** How long the node asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** The node says that it is asked too much: no failure of its own. */
  readonly isThrottled?: boolean;
  readonly refusal?: Refusal | undefined;
  /** Something else than a CometBFT node answered. */
  readonly isForeign?: boolean;
}

export function causeOf(error: unknown): AnswerCause {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && !(cause instanceof Error) ? cause : {};
}
