import type { Environment } from 'strata-kit/cli/context';
import { createStrata } from '../../src/cli/strata.ts';
import { deferred } from '../../src/core/deferred.ts';
import type { CommandResult } from './command.ts';
import { IN_PROCESS } from './in-process.ts';
import { createPrinted } from './printed.ts';
import { releaseSharedStore } from './shared-store.ts';

/**
 * The command line in the test's own process: a process costs a second of CPU before it does anything. What only a
 * process has is proved by startCommand (command.ts): signals, exit codes, that it ends, other processes' locks.
 */
export interface CommandHere {
  /** Resolves with the match once what was printed on both streams has it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with what it printed when it has ended. */
  readonly ended: Promise<CommandResult>;
  /** What SIGINT and SIGTERM do in a process. Resolves when it has ended; fails where it ends with another code than 0. */
  stopWell(): Promise<CommandResult>;
}

export function startHere(...args: readonly string[]): CommandHere {
  return startHereWith({}, ...args);
}

/** With variables of its own. */
export function startHereWith(env: Environment, ...args: readonly string[]): CommandHere {
  const stopping = new AbortController();
  const { promise: ended, resolve, reject } = deferred<CommandResult>();
  const output = createPrinted(args[0] ?? '', ended);
  const run = async () => {
    await releaseSharedStore();
    const exitCode = await createStrata({
      stdout: { write: (text) => output.add('stdout', text) },
      stderr: { write: (text) => output.add('stderr', text) },
      env,
      extras: { threads: IN_PROCESS },
      signal: stopping.signal,
    }).run(args);
    resolve({ exitCode, signal: null, stdout: output.stdout, stderr: output.stderr });
  };
  run().catch(reject);
  return {
    ended,
    printed: output.until,
    async stopWell() {
      stopping.abort();
      const result = await ended;
      if (result.exitCode === 0) return result;
      throw new Error(`strata ${args[0]} ended with ${result.exitCode}:\n${result.stdout}${result.stderr}`);
    },
  };
}

export function runHere(...args: readonly string[]): Promise<CommandResult> {
  return startHere(...args).ended;
}
