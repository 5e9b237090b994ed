import { Command } from 'commander';
import { StrataError } from 'strata-kit/errors';

/** What the commands that speak to a chain as its users do have in common. */

export const DEFAULT_NODE = 'http://127.0.0.1:26657';
export const DEFAULT_NAMESPACE = 'aeva';
export const DEFAULT_HRP = 'aeva';

export interface ChainCommandContext {
  /** One line of result to stdout. */
  readonly print: (line: string) => void;
  readonly write: (text: string) => void;
  /** One line to stderr: what somebody watches for, beside a result that is JSON. */
  readonly note: (line: string) => void;
  /** The command has done its work, and its answer is no: exit code 1. */
  readonly fail: () => void;
  readonly signal: AbortSignal | undefined;
  /** Folders and files are relative to it. */
  readonly cwd: string;
}

/** A commander command that ends by errors and writes to the command line's own streams. */
export function chainCommand(name: string, context: Pick<ChainCommandContext, 'write'>): Command {
  const command = new Command(name);
  command.createCommand = (inner) => chainCommand(inner ?? '', context);
  return command
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .configureOutput({ writeOut: context.write, writeErr: () => {} })
    .configureHelp({ helpWidth: 110 })
    .exitOverride();
}

/** What commander has to say of a group without a subcommand: that one is missing. */
export function subcommandMissing(command: Command): never {
  const names = command.commands.map((one) => one.name()).join(', ');
  throw new StrataError('config_invalid', `${command.name()} needs one of ${names}`);
}
