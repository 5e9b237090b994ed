import { ChainError } from 'strata-kit/chain-error';
import { asStrataError, ClientError } from 'strata-kit/client/errors';
import { StrataError } from 'strata-kit/errors';
import { describeFailure, EXIT_FAILED, type Failure } from './failure.ts';

/** How a failure of `strata keys` and `strata tx` is told; undefined for one that is none of a client. */
export function chainFailure(error: unknown): Failure | undefined {
  // what a codec refuses here was typed
  if (error instanceof ChainError || (error instanceof ClientError && error.kind === 'input')) {
    return describeFailure(new StrataError('config_invalid', error.message));
  }
  if (!(error instanceof ClientError)) return undefined;
  const { code, message } = asStrataError(error);
  return {
    exitCode: EXIT_FAILED,
    code,
    message: `${message}. Check --node, and that the chain runs.`,
  };
}
