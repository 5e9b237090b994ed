import type { TerminalStream } from '../../src/cli/live-line.ts';
import type { CommandContext, CommandHandlers, ProgramIo } from '../../src/cli/program.ts';
import { createProgram } from '../../src/cli/program.ts';
import { COMMANDS, type CommandName, type Environment } from '../../src/config.ts';

/** A command line without a process: what each stream got, and what the command was given. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ran: { readonly command: CommandName; readonly options: unknown } | undefined;
}

export interface RunOptions {
  readonly env?: Environment;
  readonly body?: (context: CommandContext) => Promise<void>;
  readonly io?: Partial<ProgramIo>;
}

export function collector(terminal: { isTTY?: boolean; columns?: number } = {}): TerminalStream & {
  text(): string;
} {
  let written = '';
  return {
    ...terminal,
    write: (text) => {
      written += text;
    },
    text: () => written,
  };
}

export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const stdout = collector();
  const stderr = collector();
  let ran: Outcome['ran'];
  const handler = (command: CommandName) => async (given: unknown, context: CommandContext) => {
    ran = { command, options: given };
    await options.body?.(context);
  };
  const handlers = Object.fromEntries(
    COMMANDS.map((name) => [name, handler(name)]),
  ) as unknown as CommandHandlers;
  const io: ProgramIo = {
    stdout,
    stderr,
    env: options.env ?? {},
    version: '1.2.3',
    cwd: '/srv',
    cores: 4,
    ...options.io,
  };
  const exitCode = await createProgram(handlers, io).run(argv);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), ran };
}
