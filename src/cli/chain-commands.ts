import { StrataError } from 'strata-kit/errors';
import type { ChainCommandContext } from './chain-command.ts';

/**
 * The commands that speak to a chain as its users do: `strata keys` and `strata tx`. They have words and subcommands,
 * and no settings: what they are about is said on the command line alone.
 */

export const CHAIN_COMMANDS = {
  keys: 'make, list, show, import and export keys of a testnet',
  tx: 'sign and send txs of the reference chain: strata tx <group> <operation> …',
} as const;
export type ChainCommandName = keyof typeof CHAIN_COMMANDS;

export function isChainCommand(name: string | undefined): name is ChainCommandName {
  return name !== undefined && Object.hasOwn(CHAIN_COMMANDS, name);
}

/** Errors: config_invalid, node_…, tx_undecided and tx_not_included as StrataError; commander's own for wrong words. */
export async function runChainCommand(
  name: ChainCommandName,
  words: readonly string[],
  context: ChainCommandContext,
): Promise<void> {
  try {
    if (name === 'keys') await (await import('./commands/keys.ts')).keys(words, context);
    else await (await import('./commands/tx.ts')).tx(words, context);
  } catch (error) {
    // what was sent and is not decided is told as that, also when somebody stops the command
    if (error instanceof StrataError && error.code === 'tx_undecided') throw error;
    if (context.signal?.aborted === true) throw new StrataError('aborted', 'stopped', { cause: error });
    throw error;
  }
}
