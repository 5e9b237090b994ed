import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs several command lines in one process, one after the other. The process ends when nothing is left open: a command
 * that leaves a listener, a thread or a timer keeps it, and it is killed after DEADLINE_MS.
 */
export interface Together {
  /** Of the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Of the commands. */
  readonly exitCodes: readonly number[];
  /** Of each command. */
  readonly stderr: readonly string[];
}

/** That a busy machine is slow is no failure. */
const DEADLINE_MS = 100_000;
const BUILT = new URL('../../dist/src/cli/', import.meta.url).href;
const SCRIPT = `(async () => {
  const { createStrata } = await import('${BUILT}strata.js');
  const told = [];
  for (const argv of JSON.parse(process.argv[1])) {
    let stderr = '';
    const io = { env: {}, stdout: process.stderr, stderr: { write: (text) => { stderr += text; } } };
    told.push([await createStrata(io).run(argv), stderr]);
  }
  process.stdout.write(JSON.stringify(told));
})();`;

export async function runTogether(lines: readonly (readonly string[])[]): Promise<Together> {
  const args = ['-e', SCRIPT, JSON.stringify(lines)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: DEADLINE_MS });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const told = JSON.parse(await text(child.stdout)) as [number, string][];
  const [exitCode, signal] = await exited;
  return {
    exitCode,
    signal,
    exitCodes: told.map(([code]) => code),
    stderr: told.map(([, stderr]) => stderr),
  };
}
