import { type ErrorCode, isStrataError, type StrataError } from './errors.ts';

const OUTAGE_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'node_unreachable',
  'node_timeout',
  'node_rpc_error',
  'node_bad_answer',
]);

/** Nodes that fail for now: the source has given up, the same may work later. Blocks that were refused are no outage. */
export function isOutage(error: unknown): error is StrataError {
  if (!isStrataError(error)) return false;
  if (error.code !== 'sources_exhausted' && !OUTAGE_CODES.has(error.code)) return false;
  const reason = isStrataError(error.cause) ? error.cause : error;
  return reason.retryable && OUTAGE_CODES.has(reason.code);
}
