import { loadCommand } from 'strata-kit/cli/catalogue';
import type { Command, Listed } from 'strata-kit/cli/command';
import type { CommandContext, Environment, ProgramIo } from 'strata-kit/cli/context';
import type { TerminalStream } from 'strata-kit/cli/live-line';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { createStrata } from '../../src/cli/strata.ts';

/** A command line without a process: what each stream got, and what the command was given. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ran: { readonly command: string; readonly options: unknown } | undefined;
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

/** Every command that has settings. */
export const RECORDS: readonly Command[] = (await Promise.all(COMMANDS.map(loadCommand))).filter(
  (one): one is Command => one.kind === 'command',
);

export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const stdout = collector();
  const stderr = collector();
  let ran: Outcome['ran'];
  const commands = COMMANDS.map((listed): Listed => {
    const record = RECORDS.find(({ name }) => name === listed.name);
    if (record === undefined) return listed;
    return {
      ...record,
      run: async (given: unknown, context: CommandContext) => {
        ran = { command: record.name, options: given };
        await options.body?.(context);
      },
    };
  });
  const io: ProgramIo = {
    stdout,
    stderr,
    env: options.env ?? {},
    version: '1.2.3',
    cwd: '/srv',
    cores: 4,
    ...options.io,
  };
  const exitCode = await createStrata(io, commands).run(argv);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), ran };
}
