import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { costTable, type FileCost } from './support/cost.ts';
import { failuresOf, type Outcome, outcomeOf } from './support/summary.ts';

/**
 * `npm run test:full [-- --seed N]`: everything, one after the other. The last line is `N passed, N failed` over all of
 * them; a part that ends badly or tells no numbers counts as one that failed. Of cases that are the same proof over
 * another table's name some are drawn (test/support/full.ts), by a seed that is another each time and is printed.
 */

const KILLS = 25;
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const SEED = values.seed ?? String(Date.now() % 1_000_000);
const MAX_FAILURES_TOLD = 20;
const MAX_FAILURES_WHOLE = 3;
/** Of a file with everything in it: 5,000 blocks of several seeds, or every kill point (test/support/overdue.mjs). */
const LONG_FILE_MS = 60 * 60_000;
const ROOT = join(import.meta.dirname, '..');

interface Part {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Under which name its run of vitest writes what each file cost. */
  readonly cost?: string;
}

/**
 * What can differ between versions of Node: native addons (the engine, LMDB, uWebSockets.js, secp256k1), threads and
 * processes, http, WebSockets, streams and zlib, and how modules are loaded. What Strata computes from bytes that have
 * come in is JavaScript, and runs once. `npm test` itself runs on Node 22 as well.
 */
const OF_NODE: readonly string[] = [
  ...['test/store/embedded', 'test/store/native-insert', 'test/store/backup', 'test/store/server.test'],
  ...['test/devnet/home', 'test/devnet/rpc', 'test/devnet/evm-rpc', 'test/devnet/app'],
  ...['test/api/server', 'test/api/slow-clients', 'test/api/negotiate', 'test/admin', 'test/clients'],
  ...['test/chain', 'test/engine', 'test/decode'],
  ...[
    'test/pipeline/decode-stage',
    'test/pipeline/resume',
    'test/pipeline/writer',
    'test/modules/plug-in.process.test.ts',
  ],
  ...['test/cli/', 'test/cli-e2e/chain-to-digest', 'test/cli-e2e/devnet-indexed', 'test/cli-e2e/stopping'],
  ...['test/cli-e2e/api-processes', 'test/cli-e2e/demo', 'test/kill/random', 'test/e2e/answers'],
];

/** Whatever Node runs this: the package `node` brings this one. */
const NEXT_NODE = ['exec', '--yes', '--package=node@22', '--', 'node'];

const parts: readonly Part[] = [
  { name: `npm test, Node ${process.version}`, command: 'npm', args: ['test'], cost: 'suite' },
  {
    name: 'the long tests, and all cases of the others',
    command: 'npm',
    args: ['test'],
    cost: 'long',
    env: {
      STRATA_TEST_POINTS: 'all',
      STRATA_TEST_PROCESSES: 'own',
      STRATA_TEST_SEED: SEED,
      STRATA_TEST_FILE_LIMIT_MS: String(LONG_FILE_MS),
    },
  },
  {
    name: `${KILLS} kills over every module's tables`,
    command: 'npm',
    args: ['run', 'test:kill', '--', '--modules', '--kills', `${KILLS}`, '--seed', SEED],
  },
  {
    name: 'what reads and writes a store, engine in a process of its own',
    command: 'npm',
    args: ['run', 'test:engine'],
    cost: 'engine',
    env: { STRATA_TEST_PROCESSES: 'own' },
  },
  {
    name: 'what depends on Node, Node 22',
    command: 'npm',
    args: [...NEXT_NODE, 'node_modules/vitest/vitest.mjs', 'run', ...OF_NODE],
    cost: 'node22',
    env: { STRATA_TEST_PROCESSES: 'own' },
  },
];

/** Runs a part with its output passed on. */
async function run({
  name,
  command,
  args,
  env,
  cost,
}: Part): Promise<Outcome & { readonly failures: readonly string[] }> {
  process.stdout.write(`\n== ${name}\n`);
  const child: ChildProcess = spawn(command, [...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, ...(cost === undefined ? {} : { STRATA_TEST_COST: cost }) },
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
  return { ...outcomeOf(text, exitCode), failures: failuresOf(text, MAX_FAILURES_TOLD, MAX_FAILURES_WHOLE) };
}

/** What each file of a part cost, named with the part; nothing where its run ended before it wrote. */
function costsOf({ cost }: Part): readonly FileCost[] {
  if (cost === undefined) return [];
  try {
    const text = readFileSync(join(ROOT, 'dist', 'test-cost', `${cost}.json`), 'utf8');
    return (JSON.parse(text) as readonly FileCost[]).map((one) => ({
      ...one,
      file: `${one.file} (${cost})`,
    }));
  } catch (error) {
    process.stdout.write(`no costs of ${cost}: ${String(error)}\n`);
    return [];
  }
}

process.stdout.write(`seed ${SEED}: the same draw again with npm run test:full -- --seed ${SEED}\n`);
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
process.stdout.write(`\n${costTable(parts.flatMap(costsOf), 20)}\n`);
process.stdout.write(`\n${told.join('\n')}\nseed ${SEED}\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
