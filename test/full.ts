import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { costTable, type FileCost } from './support/cost.ts';
import { failuresOf, type Outcome, outcomeOf } from './support/summary.ts';

/**
 * `npm run test:full [-- --seed N]`: `npm test` first, then everything else that a merge needs, in two lanes. The last line is
 * `N passed, N failed` over all of them; a part that ends badly or reports no numbers counts as one that failed. Of cases
 * that are the same proof over another table's name some are drawn (test/support/full.ts), by a seed that changes with each
 * run and is printed.
 */

const KILLS = 8;
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const SEED = values.seed ?? String(Date.now() % 1_000_000);
const BESIDE_NICENESS = 10;
const MAX_FAILURES_PRINTED = 20;
const MAX_FAILURES_WHOLE = 3;
/** Of a file with everything in it: 2,500 blocks of a seed, or every kill point (test/support/overdue.mjs). */
const LONG_FILE_MS = 60 * 60_000;
const ROOT = join(import.meta.dirname, '..');

interface Part {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Under which name its run of vitest writes what each file cost. */
  readonly cost?: string;
  /** Its exit code is its outcome: it counts as one test. */
  readonly isCheck?: boolean;
}

/**
 * What can differ between versions of Node: native addons (the engine, LMDB, SQLite, uWebSockets.js, secp256k1), threads
 * and processes, http, WebSockets, zlib, how modules are loaded and how a process ends. Everything else is JavaScript and
 * runs once.
 */
const NATIVE_AND_THREADS: readonly string[] = [
  ...['test/store/embedded', 'test/store/native-insert', 'devnet/test/home', 'test/api/server'],
  ...['test/pipeline/decode-stage', 'test/pipeline/writer', 'test/cli/shutdown'],
];
const OF_NODE: readonly string[] = [
  ...NATIVE_AND_THREADS,
  // serves over uWebSockets.js, which has no binary for Node 24
  'test/cli-e2e/stopping.process.test.ts',
  // files that `npm test` leaves out run where their whole names are given
  ...[
    'testnet/test/app/database',
    'testnet/test/app/database/database.process.test.ts',
    'devnet/test/rpc',
    'test/api/slow-clients.process.test.ts',
    'test/clients/ts.process.test.ts',
    'test/engine/http.process.test.ts',
  ],
  ...[
    'test/chain/capture',
    'test/modules/plug-in.process.test.ts',
    'test/cli/main',
    'test/cli-e2e/chain-to-digest',
  ],
];

/** Whatever Node runs this: the package `node` brings another one. */
function onNode(major: number, files: readonly string[]): Part {
  return {
    name: `what depends on Node, Node ${major}`,
    command: 'npm',
    args: [
      ...['exec', '--yes', `--package=node@${major}`, '--', 'node', 'node_modules/vitest/vitest.mjs', 'run'],
      ...files,
    ],
    cost: `node${major}`,
    env: { STRATA_TEST_PROCESSES: 'own' },
  };
}

/** Builds dist/, from which the threads and processes of every other part run. */
const SUITE: Part = {
  name: `npm test, Node ${process.version}`,
  command: 'npm',
  args: ['test'],
  cost: 'suite',
};

function check(name: string, command: string, args: readonly string[], env?: Part['env']): Part {
  return { name, command, args, isCheck: true, ...(env === undefined ? {} : { env }) };
}

/**
 * Side by side: each waits for its processes, timers and pages a third of its time. The first lane's output is passed on
 * as it comes, that of the second when a part has ended.
 */
const LANES: readonly (readonly Part[])[] = [
  [
    {
      name: 'the long tests, and all cases of the others',
      command: 'npm',
      args: ['test'],
      cost: 'long',
      env: {
        STRATA_TEST_POINTS: 'all',
        STRATA_TEST_SEED: SEED,
        STRATA_TEST_FILE_LIMIT_MS: String(LONG_FILE_MS),
      },
    },
  ],
  [
    check('types', 'npm', ['run', '-s', 'typecheck']),
    check('lint', 'npm', ['run', '-s', 'lint']),
    // not by npm, which would build dist/ again under the other lane
    check('bench smoke test', process.execPath, ['dist/bench/run.js', '--smoke', '--seed', SEED], {
      UV_THREADPOOL_SIZE: '16',
    }),
    {
      name: `${KILLS} kills over every module's tables`,
      command: process.execPath,
      args: ['--import', 'tsx', 'test/kill/run.ts', '--modules', '--kills', `${KILLS}`, '--seed', SEED],
    },
    {
      name: 'what reads and writes a store, over HTTP and with worker threads',
      command: 'npm',
      args: ['run', 'test:engine'],
      cost: 'engine',
      env: { STRATA_TEST_PROCESSES: 'own' },
    },
    onNode(22, OF_NODE),
    onNode(24, NATIVE_AND_THREADS),
  ],
];

interface Result extends Outcome {
  readonly part: Part;
  readonly failures: readonly string[];
  readonly minutes: string;
}

/** Runs a part. Its output is passed on, at its end where it runs beside another. */
async function run(part: Part, isBeside = false): Promise<Result> {
  const { name, command, args, env, cost, isCheck = false } = part;
  const startedMs = performance.now();
  process.stdout.write(`\n== ${name}${isBeside ? ' begins' : ''}\n`);
  const child: ChildProcess = spawn(command, [...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, ...(cost === undefined ? {} : { STRATA_TEST_COST: cost }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // what it starts inherits this: browsers and waits of the first lane come before
  if (isBeside && child.pid !== undefined) setPriority(child.pid, BESIDE_NICENESS);
  let text = '';
  // vitest prints failures on stderr
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!isBeside) to.write(chunk);
    });
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (isBeside) process.stdout.write(`\n== ${name}\n${text}`);
  return {
    ...(isCheck
      ? { passed: Number(exitCode === 0), failed: Number(exitCode !== 0) }
      : outcomeOf(text, exitCode)),
    part,
    failures:
      isCheck && exitCode !== 0
        ? text.trimEnd().split('\n').slice(-MAX_FAILURES_PRINTED)
        : failuresOf(text, MAX_FAILURES_PRINTED, MAX_FAILURES_WHOLE),
    minutes: ((performance.now() - startedMs) / 60_000).toFixed(1),
  };
}

async function runLane(parts: readonly Part[], isBeside: boolean): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const part of parts) results.push(await run(part, isBeside));
  return results;
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
const results = [
  await run(SUITE),
  ...(await Promise.all(LANES.map((parts, lane) => runLane(parts, lane > 0)))).flat(),
];
const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0);
const reported = results.flatMap(({ part, passed, failed, failures, minutes }) => [
  `${part.name}: ${passed} passed, ${failed} failed, ${minutes} min`,
  ...failures.map((failure) => `  ${failure}`),
]);
process.stdout.write(
  `\n${costTable(
    results.flatMap(({ part }) => costsOf(part)),
    20,
  )}\n`,
);
process.stdout.write(
  `\n${reported.join('\n')}\nseed ${SEED}\n${sum('passed')} passed, ${sum('failed')} failed\n`,
);
process.exitCode = sum('failed') === 0 ? 0 : 1;
