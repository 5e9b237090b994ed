import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command `strata` as a process of its own. */

const ENTRY = fileURLToPath(new URL('../../dist/src/strata.cjs', import.meta.url));
const DEADLINE_MS = 30_000;

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
  /** Sends a signal; the result, and how long the end took. */
  stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<CommandResult & { readonly stoppedMs: number }>;
}

const running = new Set<ChildProcess>();

/** Ends what a failed test has left. */
export function killCommands(): void {
  for (const child of running) child.kill('SIGKILL');
}

export function startCommand(...args: readonly string[]): RunningCommand {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('STRATA_')));
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const seen = (): void => {
    for (const watch of watchers) watch();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    seen();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    seen();
  });
  const ended = new Promise<CommandResult>((resolve) => {
    child.once('close', (exitCode, signal) => {
      running.delete(child);
      resolve({ exitCode, signal, stdout, stderr });
    });
  });
  return {
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => {
          watchers.delete(watch);
          clearTimeout(timer);
          reject(new Error(`strata ${args[0]} ${why} without printing ${pattern}:\n${stdout}${stderr}`));
        };
        const watch = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match === null) return;
          watchers.delete(watch);
          clearTimeout(timer);
          resolve(match);
        };
        const timer = setTimeout(() => fail(`ran ${DEADLINE_MS} ms`), DEADLINE_MS);
        watchers.add(watch);
        void ended.then(() => {
          if (watchers.has(watch)) fail('ended');
        });
        watch();
      }),
    async stop(signal) {
      const startedMs = performance.now();
      child.kill(signal);
      const result = await ended;
      return { ...result, stoppedMs: performance.now() - startedMs };
    },
  };
}

export function runCommand(...args: readonly string[]): Promise<CommandResult> {
  return startCommand(...args).ended;
}
