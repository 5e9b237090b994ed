import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createPrinted } from './printed.ts';

/** The built command `strata` as a process of its own. */

const ENTRY = fileURLToPath(new URL('../../dist/src/strata.cjs', import.meta.url));
/** That a busy machine is slow is no failure; that a command does not end is. */
const STOP_SECONDS = '45';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  /** Resolves with the match once what was printed on both streams has it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the process has ended and its streams are read. */
  readonly ended: Promise<CommandResult>;
  /** `SIGSTOP` stops it where it is, as a machine that hangs would; `SIGCONT` lets it go on; `SIGUSR2` is a command's own. */
  hold(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void;
  /** Sends a signal; resolves when it has ended. */
  stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<CommandResult>;
  /** The same, and fails with what it printed where it ends by a signal or with another exit code than 0. */
  stopWell(signal: 'SIGINT' | 'SIGTERM'): Promise<CommandResult>;
}

const running = new Set<ChildProcess>();
let isEndWatched = false;

/** Ends what a failed test has left. */
export function killCommands(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** The commands of a test process end with it; vitest ends its processes by SIGTERM. */
function watchEnd(): void {
  if (isEndWatched) return;
  isEndWatched = true;
  process.once('exit', killCommands);
  process.once('SIGTERM', () => {
    killCommands();
    // not exit(): an engine that is open would run its destructors
    process.kill(process.pid, 'SIGTERM');
  });
}

/** A command that tells its steps (src/core/steps.ts) on a descriptor that outlives it. */
export interface TracedCommand extends RunningCommand {
  /** Those told so far, in order. Complete when the process has ended. */
  readonly steps: readonly string[];
  /** Calls `seen` at each step as it is told. */
  onStep(seen: (step: string) => void): void;
}

const TRACE_DESCRIPTOR = 3;

/** Like startCommand, traced; the process kills itself at `killAt`, `commit:written@2`, when it is given. */
export function startTraced(killAt: string | undefined, ...args: readonly string[]): TracedCommand {
  return startTracedWith({}, killAt, ...args);
}

/** The same, with these variables of Strata. */
export function startTracedWith(
  more: NodeJS.ProcessEnv,
  killAt: string | undefined,
  ...args: readonly string[]
): TracedCommand {
  const steps: string[] = [];
  const watchers: ((step: string) => void)[] = [];
  const variables = {
    ...more,
    STRATA_TEST_STEPS: String(TRACE_DESCRIPTOR),
    ...(killAt === undefined ? {} : { STRATA_TEST_KILL: killAt }),
  };
  const command = start(args, variables, (step) => {
    steps.push(step);
    for (const watch of watchers) watch(step);
  });
  return { ...command, steps, onStep: (seen) => watchers.push(seen) };
}

export function startCommand(...args: readonly string[]): RunningCommand {
  return start(args);
}

/** With these variables of Strata, of which it has none else. */
export function startWith(variables: NodeJS.ProcessEnv, ...args: readonly string[]): RunningCommand {
  return start(args, variables);
}

function start(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  onStep?: (step: string) => void,
): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STRATA_'));
  const env = { ...Object.fromEntries(inherited), STRATA_STOP_SECONDS: STOP_SECONDS, ...variables };
  const traced = onStep === undefined ? 'ignore' : 'pipe';
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', traced] });
  running.add(child);
  watchEnd();
  const [, out, err, trace] = child.stdio;
  if (!out || !err) throw new Error('no streams');
  if (onStep !== undefined) createInterface({ input: trace as Readable }).on('line', onStep);
  const ended = new Promise<CommandResult>((resolve) => {
    child.once('close', (exitCode, signal) => {
      running.delete(child);
      resolve({ exitCode, signal, stdout: output.stdout, stderr: output.stderr });
    });
  });
  const output = createPrinted(args[0] ?? '', ended);
  (out as Readable).setEncoding('utf8').on('data', (text: string) => output.add('stdout', text));
  (err as Readable).setEncoding('utf8').on('data', (text: string) => output.add('stderr', text));
  const stop = (signal: NodeJS.Signals): Promise<CommandResult> => {
    child.kill(signal);
    return ended;
  };
  return {
    ended,
    printed: output.until,
    hold: (signal) => void child.kill(signal),
    stop,
    async stopWell(name) {
      const result = await stop(name);
      const { exitCode, signal } = result;
      if (exitCode === 0) return result;
      const how = signal ?? `exit code ${exitCode}`;
      throw new Error(`strata ${args[0]} ended by ${how} after ${name}:\n${result.stdout}${result.stderr}`);
    },
  };
}

export function runCommand(...args: readonly string[]): Promise<CommandResult> {
  return startCommand(...args).ended;
}
