import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { flagName } from 'strata-kit/settings';
import { createRedactor } from 'strata-kit/url';
import {
  COMMANDS,
  type CommandName,
  type Config,
  configPath,
  type Environment,
  parseConfig,
  type RawFlags,
  secretsOf,
} from '../config.ts';
import { visible } from '../core/visible.ts';
import type { Threads } from '../pipeline/threads.ts';
import type { ChainCommandContext } from './chain-command.ts';
import { CHAIN_COMMANDS, isChainCommand, runChainCommand } from './chain-commands.ts';
import { chainFailure } from './chain-failure.ts';
import { describeFailure, EXIT_FAILED, EXIT_OK, type Failure } from './failure.ts';
import {
  CONFIG_FLAG,
  examplesText,
  flagHelp,
  OWN_ARGUMENTS,
  OWN_FLAGS,
  PROGRAM_FOOTER,
  SUMMARIES,
} from './help.ts';
import { createLiveLine, type LiveLine, type TerminalStream, type TextStream } from './live-line.ts';
import { createLogger, type Logger } from './logging.ts';
import { COMMAND_SETTINGS, type CommandOptions, OPTIONS_OF } from './options.ts';

export interface ProgramIo {
  /** What a command asks for by itself; without it there is nothing to read. */
  readonly stdin?: InputStream;
  /** Results only. */
  readonly stdout: TextStream & Pick<TerminalStream, 'isTTY' | 'columns'>;
  readonly stderr: TerminalStream;
  readonly env: Environment;
  /** Aborts when the command is to end. */
  readonly signal?: AbortSignal;
  readonly version?: string;
  readonly cwd?: string;
  readonly cores?: number;
  /** Where indexing decodes and writes; worker threads unless given. */
  readonly threads?: Threads;
  /** Another command has started this process, and waits for what it tells (child-process.ts). */
  readonly isChild?: boolean;
}

/** A stream of which process.stdin is one. */
export type InputStream = AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };

/** What a command works with besides its options. */
export interface CommandContext {
  readonly log: Logger;
  /** Where there is a terminal; for createProgress. */
  readonly line: LiveLine | undefined;
  /** One line of result to stdout. */
  readonly print: (line: string) => void;
  /** Text of a result to stdout, as it is. */
  readonly write: (text: string) => void;
  /** Characters of a line of stdout's terminal; undefined where it is none. */
  readonly columns: number | undefined;
  /** All of stdin as text. Errors: config_invalid where somebody would have to type it, or for more than `maxBytes`. */
  readonly readInput: (maxBytes: number) => Promise<string>;
  readonly signal: AbortSignal;
  /** The command has done its work, and its answer is no: exit code 1 unless given, without a line of its own. */
  readonly fail: (exitCode?: number) => void;
  /** Strata's own. */
  readonly version: string;
  readonly threads?: Threads;
  readonly isChild?: boolean;
}

/** The commands' bodies. Each ends when its work is done or the signal aborts, and throws a StrataError where it fails. */
export type CommandHandlers = {
  readonly [K in CommandName]: (options: CommandOptions[K], context: CommandContext) => Promise<void>;
};

export interface Program {
  /** Runs one command line (without node and script) and answers the exit code; failures are told on stderr. */
  run(argv: readonly string[]): Promise<number>;
}

/** What the parts of one command line share. */
interface Shell {
  readonly handlers: CommandHandlers;
  readonly io: ProgramIo;
  readonly line: LiveLine | undefined;
  /** To stderr, above the live line. */
  readonly tell: (text: string) => void;
  /** How failures are told once the configuration is known. */
  tellFailure: (failure: Failure) => void;
  exitCode: number;
}

/** The command line over these bodies and streams; it never touches the process. */
export function createProgram(handlers: CommandHandlers, io: ProgramIo): Program {
  const line = createLiveLine(io.stderr);
  const tell = (text: string) => (line === undefined ? io.stderr.write(text) : line.write(text));
  return {
    run: async (argv) => {
      const shell: Shell = {
        handlers,
        io,
        line,
        tell,
        tellFailure: plainFailure(tell, createRedactor([])),
        exitCode: EXIT_OK,
      };
      try {
        const [name, ...words] = argv;
        if (isChainCommand(name)) await runChainCommand(name, words, chainContext(shell));
        else await buildProgram(shell).parseAsync(argv, { from: 'user' });
        return shell.exitCode;
      } catch (error) {
        if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
        if (isStrataError(error, 'aborted') && io.signal?.aborted === true) return EXIT_OK;
        line?.clear();
        const failure =
          chainFailure(error) ??
          describeFailure(error instanceof CommanderError ? fromCommander(error) : error);
        shell.tellFailure(failure);
        return failure.exitCode;
      }
    },
  };
}

function plainFailure(tell: Shell['tell'], redact: (text: string) => string) {
  return ({ code, message }: Failure) => tell(visible(redact(`strata: ${code}: ${message}\n`)));
}

function buildProgram(shell: Shell): Command {
  const { io } = shell;
  const program = new Command('strata')
    .description('Indexes Cosmos SDK chains with an EVM into ClickHouse and serves their history.')
    .version(io.version ?? 'unknown', '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .usage('<command> [flags]')
    .addHelpText('after', PROGRAM_FOOTER)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // A wrong command line is told by createProgram, in one line.
      writeErr: () => {},
    })
    .configureHelp({ helpWidth: 110, subcommandTerm: (command) => command.name() })
    .exitOverride();
  for (const name of COMMANDS) addCommand(program, name, shell);
  // told here, run by runChainCommand
  for (const [name, summary] of Object.entries(CHAIN_COMMANDS)) program.command(name).description(summary);
  return program;
}

function addCommand<K extends CommandName>(program: Command, name: K, shell: Shell): void {
  const argument = OWN_ARGUMENTS[name];
  const usage = argument === undefined ? '[flags]' : `[${argument.name}] [flags]`;
  const command = program.command(name).description(SUMMARIES[name]).usage(usage);
  if (argument !== undefined) command.argument(`[${argument.name}]`, argument.text);
  for (const key of COMMAND_SETTINGS[name]) {
    const { flags, group, text } = flagHelp(name, key);
    // the preset is what a flag without a value says
    command.addOption(new Option(flags, text).helpGroup(group).preset('true').argParser(once(key)));
  }
  const ownOptions = (OWN_FLAGS[name] ?? []).map(({ flags, text }) => new Option(flags, text));
  for (const option of ownOptions) command.addOption(option);
  command.option(CONFIG_FLAG.flags, CONFIG_FLAG.text).addHelpText('after', examplesText(name));
  command.action(async () => {
    const given: RawFlags = command.opts();
    // --from and --to are heights elsewhere: a command's own flag is not for the configuration
    const own = ownOptions.map((option) => option.attributeName());
    const ownFlags = Object.fromEntries(own.map((key) => [key, given[key]]));
    if (argument !== undefined) ownFlags[argument.name] = command.args[0];
    const flags = { ...given, ...Object.fromEntries(own.map((key) => [key, undefined])) };
    const config = loadConfig(name, flags, shell.io);
    const context = createContext(config, shell);
    for (const warning of config.warnings) context.log.warn(warning);
    await shell.handlers[name](OPTIONS_OF[name](config, ownFlags), context);
  });
}

function chainContext(shell: Shell): ChainCommandContext {
  const { io } = shell;
  return {
    print: (line) => io.stdout.write(`${visible(line)}\n`),
    write: (text) => io.stdout.write(forStream(text, io.stdout)),
    note: (line) => io.stderr.write(`${visible(line)}\n`),
    fail: () => {
      shell.exitCode = EXIT_FAILED;
    },
    signal: io.signal,
    cwd: io.cwd ?? process.cwd(),
  };
}

function createContext(config: Config, shell: Shell): CommandContext {
  const { io, line, tell } = shell;
  const { urls, passwords } = secretsOf(config);
  const redact = createRedactor(urls, passwords);
  const log = createLogger({
    format: config.logFormat,
    level: config.logLevel,
    colors: io.stderr.isTTY === true && (io.env.NO_COLOR ?? '') === '',
    write: (text) => tell(redact(text)),
  });
  shell.tellFailure =
    config.logFormat === 'json' && log.isLevelEnabled('fatal')
      ? ({ code, message }) => log.fatal({ code }, message)
      : plainFailure(tell, redact);
  const out = (text: string) => (line === undefined ? io.stdout.write(text) : line.write(text, io.stdout));
  return {
    log,
    line,
    print: (text) => out(`${visible(text)}\n`),
    write: (text) => out(forStream(text, io.stdout)),
    columns: io.stdout.isTTY === true ? io.stdout.columns : undefined,
    readInput: (maxBytes) => readInput(io.stdin, maxBytes),
    signal: io.signal ?? new AbortController().signal,
    fail: (exitCode = EXIT_FAILED) => {
      shell.exitCode = exitCode;
    },
    version: io.version ?? 'unknown',
    ...(io.threads === undefined ? {} : { threads: io.threads }),
    ...(io.isChild === undefined ? {} : { isChild: io.isChild }),
  };
}

/** Data for a pipe or a file stays as it is. */
function forStream(text: string, { isTTY }: Pick<TerminalStream, 'isTTY'>): string {
  return isTTY === true ? visible(text) : text;
}

/** A flag given twice is a slip of the hand, but for those whose lists add up. */
function once(key: string) {
  return (value: string, previous: string | string[] | undefined) => {
    if (previous === undefined) return value;
    if (key === 'rpc' || key === 'fault' || key === 'modules') return [previous, value].flat();
    // commander's own error would repeat the value
    throw new StrataError('config_invalid', `${flagName(key)} is given twice`);
  };
}

async function readInput(stdin: InputStream | undefined, maxBytes: number): Promise<string> {
  if (stdin === undefined || stdin.isTTY === true) {
    throw new StrataError(
      'config_invalid',
      'there is nothing on stdin: give it as an argument, or pipe it in',
    );
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stdin) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > maxBytes) throw new StrataError('config_invalid', `stdin has more than ${maxBytes} bytes`);
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function loadConfig(command: CommandName, flags: RawFlags, io: ProgramIo): Config {
  const path = configPath(flags, io.env);
  return parseConfig({
    command,
    flags,
    env: io.env,
    file: path === undefined ? undefined : { path, text: readConfigFile(path) },
    ...(io.cwd === undefined ? {} : { cwd: io.cwd }),
    ...(io.cores === undefined ? {} : { cores: io.cores }),
  });
}

function readConfigFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new StrataError('config_invalid', `the configuration file ${path} cannot be read: ${reason}`, {
      cause,
    });
  }
}

function fromCommander(error: CommanderError): StrataError {
  if (error.code === 'commander.help') {
    return new StrataError('config_invalid', `a command is missing, one of ${COMMANDS.join(', ')}`);
  }
  const message = error.message
    .replace(/^error: /, '')
    // of an unknown --flag=value the name alone
    .replace(/'(-[^=\s']*)=.*'/s, "'$1'")
    .replace(/\s*\n\s*/g, ' ');
  return new StrataError('config_invalid', message);
}
