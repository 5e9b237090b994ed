import { ChainError } from 'strata-kit/chain-error';
import { ClientError } from 'strata-kit/client/errors';
import { StrataError } from 'strata-kit/errors';
import { describeFailure, EXIT_FAILED, type Failure } from './failure.ts';

const CODES = {
  input: 'config_invalid',
  timeout: 'node_timeout',
  unreachable: 'node_unreachable',
  busy: 'node_unreachable',
  node: 'node_bad_answer',
} as const;

/** A client's failure as one of indexing is told; the same may work later, but for what somebody typed. */
export function asStrataError(error: ClientError): StrataError {
  const { kind, message } = error;
  return new StrataError(CODES[kind], message, { retryable: kind !== 'input', cause: error });
}

/** How a failure of `strata keys` and `strata tx` is told; undefined for one that is none of a client. */
export function chainFailure(error: unknown): Failure | undefined {
  // what a codec refuses here was typed
  if (error instanceof ChainError || (error instanceof ClientError && error.kind === 'input')) {
    return describeFailure(new StrataError('config_invalid', error.message));
  }
  if (!(error instanceof ClientError)) return undefined;
  const { kind, message } = error;
  return {
    exitCode: EXIT_FAILED,
    code: CODES[kind],
    message: `${message}. Check --node, and that the chain runs.`,
  };
}
