import { type CommanderError, Option, Command as Parser } from 'commander';
import { StrataError } from '../errors.ts';
import type { Command, Listed } from './command.ts';
import { flagName, flagUsage, type Setting, variableName } from './setting.ts';

/** Commander's parser and help of the records. */

export interface Texts {
  readonly name: string;
  readonly description: string;
  /** At the end of the program's help. */
  readonly footer: string;
}

/** The parser of the whole command line; `take` hears of the command that was given, with its flags. */
export interface ParserOptions {
  readonly texts: Texts;
  readonly commands: readonly Listed[];
  readonly common: readonly Setting[];
  readonly version: string;
  readonly write: (text: string) => void;
  readonly take: (command: Command, flags: Readonly<Record<string, unknown>>) => Promise<void>;
}

export const CONFIG_KEY = 'config';
const HELP_WIDTH = 110;

export function createParser({ texts, commands, common, version, write, take }: ParserOptions): Parser {
  const program = new Parser(texts.name)
    .description(texts.description)
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .usage('<command> [flags]')
    .addHelpText('after', texts.footer)
    .configureOutput({
      writeOut: write,
      // A wrong command line is reported by createProgram, in one line.
      writeErr: () => {},
    })
    .configureHelp({ helpWidth: HELP_WIDTH, subcommandTerm: (command) => command.name() })
    .exitOverride();
  for (const one of commands) {
    const parser = program.command(one.name).description(one.summary);
    // the others are run by createProgram; here they have a line of help
    if (one.kind === 'command') addCommand(parser, one, common, take);
  }
  return program;
}

function addCommand(
  parser: Parser,
  command: Command,
  common: readonly Setting[],
  take: ParserOptions['take'],
): void {
  const { name, settings, flags, word, examples } = command;
  parser.usage(word === undefined ? '[flags]' : `[${word.key}] [flags]`);
  if (word !== undefined) parser.argument(`[${word.key}]`, word.text);
  const shown = [...settings, ...common].filter(
    ({ places, isInternal }) => places.includes('flag') && !isInternal,
  );
  for (const one of shown) {
    parser.addOption(
      new Option(flagUsage(one), `${helpText(one)} [${variableName(one.key)}]`)
        .helpGroup(`${one.group}:`)
        // what a flag without a value says
        .preset('true')
        .argParser(once(one)),
    );
  }
  for (const one of flags) {
    parser.addOption(new Option(flagUsage(one), helpText(one)).preset('true').argParser(once(one)));
  }
  const example = examples.map((line) => `  ${line}`).join('\n');
  parser
    .option(
      `--${CONFIG_KEY} <file>`,
      'YAML file with the same settings and the chain: section [STRATA_CONFIG]',
    )
    .addHelpText('after', `\nExamples:\n${example}\n`)
    .action(async () => {
      const [argument] = parser.args;
      await take(command, {
        ...parser.opts<Record<string, unknown>>(),
        ...(word === undefined ? {} : { [word.key]: argument }),
      });
    });
  if (parser.name() !== name) throw new Error(`${name} has another name in the list`);
}

/** The text with its default; of a switch none is shown. */
export function helpText({ text, shown }: Setting): string {
  return shown === undefined ? text : `${text} (default: ${shown})`;
}

/** A flag given twice is a slip of the hand, but for those whose lists add up. */
function once({ key, kind }: Setting) {
  return (value: string, previous: string | string[] | undefined) => {
    if (previous === undefined) return value;
    if (kind.isList === true) return [previous, value].flat();
    // commander's own error would repeat the value
    throw new StrataError('config_invalid', `${flagName(key)} is given twice`);
  };
}

/** In one line, without values. */
export function fromCommander(error: CommanderError): StrataError {
  const message = error.message
    .replace(/^error: /, '')
    // of an unknown --flag=value the name alone
    .replace(/'(-[^=\s']*)=.*'/s, "'$1'")
    .replace(/\s*\n\s*/g, ' ');
  return new StrataError('config_invalid', message);
}
