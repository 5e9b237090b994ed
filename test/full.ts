import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failuresOf, type Outcome, outcomeOf } from './support/summary.ts';

/**
 * `npm run test:full`: everything, one after the other, the suite on Node 22 too. The last line is `N passed, N failed`
 * over all of them; a part that ends badly or tells no numbers counts as one that failed.
 */

const KILLS = 25;
const MAX_FAILURES_TOLD = 20;
/** Of a file with everything in it: 5,000 blocks of several seeds, or every kill point (test/support/overdue.mjs). */
const LONG_FILE_MS = 60 * 60_000;
const ROOT = join(import.meta.dirname, '..');

interface Part {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Whatever Node runs this: the package `node` brings this one. */
const NEXT_NODE = ['exec', '--yes', '--package=node@22', '--', 'node'];

const parts: readonly Part[] = [
  {
    name: `suite with every kill point, Node ${process.version}`,
    command: 'npm',
    args: ['test'],
    env: { STRATA_TEST_POINTS: 'all', STRATA_TEST_FILE_LIMIT_MS: String(LONG_FILE_MS) },
  },
  { name: `${KILLS} kills`, command: 'npm', args: ['run', 'test:kill', '--', '--kills', `${KILLS}`] },
  ...('test:engine' in manifest.scripts
    ? [{ name: 'suite, engine in a process of its own', command: 'npm', args: ['run', 'test:engine'] }]
    : []),
  { name: 'suite, Node 22', command: 'npm', args: [...NEXT_NODE, 'node_modules/vitest/vitest.mjs', 'run'] },
];

/** Runs a part with its output passed on. */
async function run({
  name,
  command,
  args,
  env,
}: Part): Promise<Outcome & { readonly failures: readonly string[] }> {
  process.stdout.write(`\n== ${name}\n`);
  const child: ChildProcess = spawn(command, [...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  // vitest tells failures on stderr
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      to.write(chunk);
    });
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return { ...outcomeOf(text, exitCode), failures: failuresOf(text, MAX_FAILURES_TOLD) };
}

let passed = 0;
let failed = 0;
const told: string[] = [];
for (const part of parts) {
  const startedMs = performance.now();
  const outcome = await run(part);
  passed += outcome.passed;
  failed += outcome.failed;
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  told.push(`${part.name}: ${outcome.passed} passed, ${outcome.failed} failed, ${minutes} min`);
  told.push(...outcome.failures.map((failure) => `  ${failure}`));
}
process.stdout.write(`\n${told.join('\n')}\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
