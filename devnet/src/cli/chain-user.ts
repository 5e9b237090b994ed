import type { WordsContext } from 'strata-kit/cli/words';
import { StrataError } from 'strata-kit/errors';

/** What the commands that speak to a chain as its users do have in common: `strata keys` and `strata tx`. */

export const DEFAULT_NODE = 'http://127.0.0.1:26657';
export const DEFAULT_NAMESPACE = 'aeva';
export const DEFAULT_HRP = 'aeva';
export const DEFAULT_HOME = './data/devnet';

/** Errors: config_invalid, node_…, tx_undecided and tx_not_included as StrataError; commander's own for wrong words. */
export async function untilStopped({ signal }: WordsContext, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } catch (error) {
    // what was sent and is not decided is reported as that, also when somebody stops the command
    if (error instanceof StrataError && error.code === 'tx_undecided') throw error;
    if (signal?.aborted === true) throw new StrataError('aborted', 'stopped', { cause: error });
    throw error;
  }
}
