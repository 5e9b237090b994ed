import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { CommanderError } from 'commander';
import { isStrataError, StrataError } from '../errors.ts';
import { createRedactor } from '../url.ts';
import { knownSettings, loadCommand, missingPackage } from './catalogue.ts';
import type { Command, Listed, WordsCommand } from './command.ts';
import type { CommandContext, InputStream, ProgramIo } from './context.ts';
import { CONFIG_KEY, createParser, fromCommander, type Texts } from './help.ts';
import { createLiveLine, type LiveLine, type TerminalStream } from './live-line.ts';
import type { Logger } from './logging.ts';
import { meant } from './nearest.ts';
import { readSettings } from './read.ts';
import type { Given, Setting } from './setting.ts';
import { visible } from './visible.ts';
import type { ConfigFile } from './yaml-file.ts';

/** How a failed command is reported. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  /** One line with what to do for a failure that is foreseen; the stack for any other. No line feed at the end. */
  readonly message: string;
}

/** What a command line is made of. */
export interface Grammar<C extends readonly Setting[] = readonly Setting[]> {
  readonly texts: Texts;
  readonly commands: readonly Listed[];
  /** Settings that every command has, the last in its help. */
  readonly common: C;
  readonly createLog: (given: Given<C>, out: LogOutput) => CommandLog;
  readonly describeFailure: (error: unknown) => Failure;
}

export interface LogOutput {
  readonly write: (text: string) => void;
  readonly colors: boolean;
}

export interface CommandLog {
  readonly log: Logger;
  /** Failures are lines of the log, too. */
  readonly isForMachines: boolean;
}

export interface Program {
  /** Runs one command line (without node and script) and answers the exit code; failures go to stderr. */
  run(argv: readonly string[]): Promise<number>;
}

const EXIT_OK = 0;
const EXIT_FAILED = 1;

/** What the parts of one command line share. */
interface Shell {
  readonly grammar: Grammar;
  readonly io: ProgramIo;
  readonly line: LiveLine | undefined;
  /** To stderr, above the live line. */
  readonly say: (text: string) => void;
  /** How failures are reported once the configuration is known. */
  report: (failure: Failure) => void;
  exitCode: number;
}

/** The command line over these records and streams; it never touches the process. */
export function createProgram<const C extends readonly Setting[]>(
  grammar: Grammar<C>,
  io: ProgramIo,
): Program {
  const line = createLiveLine(io.stderr);
  const say = (text: string) => (line === undefined ? io.stderr.write(text) : line.write(text));
  return {
    run: async (argv) => {
      const shell: Shell = {
        // what createLog is given is read from `common`
        grammar: grammar as unknown as Grammar,
        io,
        line,
        say,
        report: plainReport(say, createRedactor([])),
        exitCode: EXIT_OK,
      };
      try {
        await runWords(argv.length === 0 ? ['--help'] : fromHelp(argv), shell);
        return shell.exitCode;
      } catch (error) {
        if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
        if (isStrataError(error, 'aborted') && io.signal?.aborted === true) return EXIT_OK;
        line?.clear();
        const foreseen = error instanceof CommanderError ? fromCommander(error) : error;
        const failure = grammar.describeFailure(foreseen);
        shell.report(failure);
        return failure.exitCode;
      }
    },
  };
}

/** `strata help tx send` is `strata tx send --help`. */
function fromHelp(argv: readonly string[]): readonly string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
}

async function runWords(argv: readonly string[], shell: Shell): Promise<void> {
  const { grammar, io } = shell;
  const [name = '', ...words] = argv;
  const listed = grammar.commands.find((one) => one.name === name);
  const found = listed === undefined ? undefined : await loadCommand(listed);
  if (found?.kind === 'words') {
    await runWordsCommand(found, words, shell);
    return;
  }
  if (found === undefined && !name.startsWith('-')) throw unknownCommand(name, grammar.commands);
  const commands = grammar.commands.map((one) => (one === listed && found !== undefined ? found : one));
  const parser = createParser({
    texts: grammar.texts,
    commands,
    common: grammar.common,
    version: io.version ?? 'unknown',
    write: (text) => io.stdout.write(text),
    take: (command, flags) => runCommand(command, flags, shell),
  });
  await parser.parseAsync(argv, { from: 'user' });
}

function unknownCommand(name: string, commands: readonly Listed[]): StrataError {
  const names = commands.map((one) => one.name);
  return new StrataError(
    'config_invalid',
    `unknown command '${visible(name).slice(0, 60).replaceAll('\n', ' ')}'${meant(name, names)}`,
  );
}

async function runCommand(
  command: Command,
  flags: Readonly<Record<string, unknown>>,
  shell: Shell,
): Promise<void> {
  const { grammar, io } = shell;
  const surroundings = {
    cwd: io.cwd ?? process.cwd(),
    cores: io.cores ?? availableParallelism(),
  };
  const known = await knownSettings(grammar.commands, grammar.common);
  const read = readSettings(command, known, grammar.common, {
    ...surroundings,
    flags,
    env: io.env,
    file: configFile(flags[CONFIG_KEY] ?? io.env.STRATA_CONFIG),
  });
  const context = createContext(read, shell);
  for (const warning of read.warnings) context.log.warn(warning);
  const options = command.options(read.given, surroundings);
  await missingPackage(grammar.commands, () => command.run(options, context));
}

async function runWordsCommand(command: WordsCommand, words: readonly string[], shell: Shell): Promise<void> {
  const { grammar, io } = shell;
  const context = {
    print: (line: string) => io.stdout.write(`${visible(line)}\n`),
    write: (text: string) => io.stdout.write(forStream(text, io.stdout)),
    note: (line: string) => io.stderr.write(`${visible(line)}\n`),
    fail: () => {
      shell.exitCode = EXIT_FAILED;
    },
    signal: io.signal,
    cwd: io.cwd ?? process.cwd(),
  };
  await missingPackage(grammar.commands, () => command.run(words, context));
}

function plainReport(say: Shell['say'], redact: (text: string) => string) {
  return ({ code, message }: Failure) => say(visible(redact(`strata: ${code}: ${message}\n`)));
}

function createContext(
  { given, secrets }: Pick<ReturnType<typeof readSettings>, 'given' | 'secrets'>,
  shell: Shell,
): CommandContext {
  const { grammar, io, line, say } = shell;
  const redact = createRedactor(secrets.urls, secrets.passwords);
  const { log, isForMachines } = grammar.createLog(given, {
    write: (text) => say(redact(text)),
    colors: io.stderr.isTTY === true && (io.env.NO_COLOR ?? '') === '',
  });
  shell.report =
    isForMachines && log.isLevelEnabled('fatal')
      ? ({ code, message }) => log.fatal({ code }, message)
      : plainReport(say, redact);
  const out = (text: string) => (line === undefined ? io.stdout.write(text) : line.write(text, io.stdout));
  return {
    ...io.extras,
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
    ...(io.isChild === undefined ? {} : { isChild: io.isChild }),
  };
}

/** Data for a pipe or a file stays as it is. */
function forStream(text: string, { isTTY }: Pick<TerminalStream, 'isTTY'>): string {
  return isTTY === true ? visible(text) : text;
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

/** No file is read that was not named. */
function configFile(path: unknown): ConfigFile | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new StrataError('config_invalid', `the configuration file ${path} cannot be read: ${reason}`, {
      cause,
    });
  }
}
