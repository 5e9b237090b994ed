import { spawn } from 'node:child_process';
import { failuresOf, outcomeOf } from '../support/summary.ts';

/** What tests said of a tree. */
export interface TestsRun {
  readonly outcome: 'passed' | 'failed' | 'timeout';
  /** The first test that failed, with the first line of why; empty where none did. */
  readonly failure: string;
  /** Of the tests' processes, children included. */
  readonly cpuSeconds: number;
}

/** The shell adds up what its children have used; Node does not say it. */
const TIMED = '"$@"; code=$?; times >&3; exit $code';

/** Runs the tests that a path filter names in a folder, one file at a time, until one fails. */
export async function runTests(folder: string, filter: string, timeoutMs: number): Promise<TestsRun> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', filter];
  const options = ['--bail', '1', '--maxWorkers', '1', '--experimental.fsModuleCache'];
  const child = spawn('sh', ['-c', TIMED, 'sh', process.execPath, ...vitest, ...options], {
    cwd: folder,
    env: { ...process.env, STRATA_TEST_BUILT: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // a group of processes of its own, so that none of them is left when it takes too long
    detached: true,
  });
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  // before the folder is removed
  process.prependOnceListener('exit', end);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, timeoutMs);
  const texts = ['', '', '', ''];
  for (const [i, stream] of child.stdio.entries()) {
    if (stream === null || stream === undefined || !('setEncoding' in stream)) continue;
    stream.setEncoding('utf8').on('data', (text: string) => {
      texts[i] += text;
    });
  }
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    const [, output = '', errors = '', times = ''] = texts;
    const cpuSeconds = secondsOf(times);
    if (isLate) return { outcome: 'timeout', failure: '', cpuSeconds };
    const { passed } = outcomeOf(output, exitCode);
    if (exitCode === 0 && passed > 0) return { outcome: 'passed', failure: '', cpuSeconds };
    // a file that does not load has no test that failed
    const [failure = errors.trim().split('\n')[0] ?? ''] = failuresOf(`${output}\n${errors}`, 1);
    return { outcome: 'failed', failure: failure.replace(/\s+/g, ' '), cpuSeconds };
  } finally {
    clearTimeout(timer);
    process.removeListener('exit', end);
  }
}

/** POSIX: a line of the shell's own times, and one of its children's, user and system, as `0m1.25s 0m0.30s`. */
function secondsOf(times: string): number {
  const [user = 0, system = 0] = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return user + system;
}
