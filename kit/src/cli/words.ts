import { Command } from 'commander';
import { StrataError } from '../errors.ts';

/** What commands with words and subcommands of their own have in common. */

export interface WordsContext {
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
export function wordsParser(name: string, context: Pick<WordsContext, 'write'>): Command {
  const parser = new Command(name);
  parser.createCommand = (inner) => wordsParser(inner ?? '', context);
  return parser
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureOutput({ writeOut: context.write, writeErr: () => {} })
    .configureHelp({ helpWidth: 110 })
    .exitOverride();
}

/** What commander has to say of a group without a subcommand: that one is missing. */
export function subcommandMissing(parser: Command): never {
  const names = parser.commands.map((one) => one.name()).join(', ');
  throw new StrataError('config_invalid', `${parser.name()} needs one of ${names}`);
}
