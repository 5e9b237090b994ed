import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failuresOf, type Outcome, outcomeOf } from './support/summary.ts';

/**
 * `npm run test:steady [-- --runs N]`: runs the store and process tests N times (20 by default) on a busy machine: a
 * loop that never waits runs for each CPU. Prints the outcome of each run, and ends with `N passed, N failed` over all
 * of them. It exits with 1 where any run failed.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1)
  throw new Error(`--runs must be a whole number above 0, not ${values.runs}`);

const ROOT = join(import.meta.dirname, '..');
const LOGS = join(ROOT, 'dist', 'test-steady');
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'store', '--project', 'process'];
/** A loop takes what the tests leave, and a third of a CPU beside them. */
const LOOP_NICENESS = 5;
const MAX_FAILURES_PRINTED = 20;

function startLoop(): ChildProcess {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  if (loop.pid !== undefined) setPriority(loop.pid, LOOP_NICENESS);
  return loop;
}

let tests: ChildProcess | undefined;

/** What it prints is kept in `dist/test-steady`, a file a run. */
async function runTests(
  run: number,
): Promise<{ readonly outcome: Outcome; readonly failures: readonly string[] }> {
  const child = spawn(process.execPath, VITEST, {
    cwd: ROOT,
    env: { ...process.env, STRATA_TEST_COST: 'steady' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  tests = child;
  const log = createWriteStream(join(LOGS, `${run}.log`));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      log.write(chunk);
    });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  log.end();
  const outcome = outcomeOf(text, exitCode);
  return {
    outcome,
    failures: outcome.failed === 0 ? [] : failuresOf(text, MAX_FAILURES_PRINTED, MAX_FAILURES_PRINTED),
  };
}

const loops = Array.from({ length: availableParallelism() }, startLoop);
// also where this process is interrupted
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
  tests?.kill('SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

mkdirSync(LOGS, { recursive: true });
const sums = { passed: 0, failed: 0, goodRuns: 0 };
for (let run = 1; run <= runs; run++) {
  const startedMs = performance.now();
  const { outcome, failures } = await runTests(run);
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  sums.passed += outcome.passed;
  sums.failed += outcome.failed;
  if (outcome.failed === 0) sums.goodRuns++;
  process.stdout.write(
    `run ${run} of ${runs}: ${outcome.passed} passed, ${outcome.failed} failed, ${minutes} min\n` +
      failures.map((line) => `  ${line}\n`).join(''),
  );
}
process.stdout.write(
  `${sums.goodRuns} of ${runs} runs without a failure\n${sums.passed} passed, ${sums.failed} failed\n`,
);
process.exit(sums.failed === 0 ? 0 : 1);
