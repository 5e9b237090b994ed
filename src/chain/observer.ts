import type { ErrorCode } from 'strata-kit/errors';

/** Who counts what nodes do, for metrics and health. Called on the main thread, once a request: keep it cheap. */
export interface SourceObserver {
  /** An exchange that came to its end with whatever status; `node` is the URL without its secrets. */
  readonly onRequest?: (node: string, durationMs: number, bytes: number) => void;
  /** A failure of a node, also one that is tried again, and bytes that could not be used. */
  readonly onError?: (node: string, code: ErrorCode) => void;
}
