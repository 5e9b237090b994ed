import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FILTERS } from './filters.ts';
import { MUTATIONS } from './list.ts';
import { type Mutation, mutated } from './mutation.ts';
import { runTests, type TestsRun } from './tests-run.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

/**
 * `npm run mutate [-- --only core,<id> --jobs 2 --timeout 180 --json <file>]`: breaks the sources in one place at a time,
 * in a copy of the working tree, and runs the tests that have to see it. Prints each mutation with its outcome, then the
 * score by area. Tests have to pass on the unbroken sources before their failures count.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const MAX_JOBS = 2;

interface Outcome {
  readonly id: string;
  readonly area: string;
  /** A timeout counts as killed. */
  readonly outcome: 'killed' | 'timeout' | 'survived';
  /** What killed it. */
  readonly failure: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    timeout: { type: 'string', default: '180' },
    json: { type: 'string' },
  },
});
const timeoutMs = Number(values.timeout) * 1_000;
const jobs = Math.min(MAX_JOBS, Math.max(1, Number(values.jobs)));
const only = values.only?.split(',');
const wanted = [...MUTATIONS].flatMap(([area, list]) =>
  list
    .filter(({ id }) => only === undefined || only.includes(id) || only.includes(area))
    .map((mutation) => ({ area, mutation })),
);
if (wanted.length === 0) throw new Error(`there is no mutation or area called ${values.only}`);

/** By filter: the run of its tests on the unbroken sources. */
const unbroken = new Map<string, Promise<TestsRun>>();
let unbrokenCpuSeconds = 0;

async function checkUnbroken(folder: string, filter: string): Promise<void> {
  const known = unbroken.get(filter);
  const run = known ?? runTests(folder, filter, 10 * timeoutMs);
  unbroken.set(filter, run);
  const { outcome, failure, cpuSeconds } = await run;
  if (known === undefined) unbrokenCpuSeconds += cpuSeconds;
  if (outcome !== 'passed') throw new Error(`${filter} fails without a mutation: ${failure}`);
}

async function tryOut(copy: TreeCopy, area: string, mutation: Mutation): Promise<Outcome> {
  const { id, file, tests } = mutation;
  const source = readFileSync(join(ROOT, file), 'utf8');
  let cpuSeconds = 0;
  let wallMs = 0;
  for (const filter of tests.flatMap((group) => FILTERS[group])) {
    await checkUnbroken(copy.folder, filter);
    const startedMs = performance.now();
    const undo = copy.replace(file, mutated(source, mutation));
    const run = await runTests(copy.folder, filter, timeoutMs).finally(undo);
    wallMs += performance.now() - startedMs;
    cpuSeconds += run.cpuSeconds;
    if (run.outcome === 'passed') continue;
    const outcome = run.outcome === 'timeout' ? 'timeout' : 'killed';
    return { id, area, outcome, failure: run.failure, cpuSeconds, wallSeconds: wallMs / 1_000 };
  }
  return { id, area, outcome: 'survived', failure: '', cpuSeconds, wallSeconds: wallMs / 1_000 };
}

const left = [...wanted];
const outcomes: Outcome[] = [];

/** A copy's work: one mutation after the other, until none is left. */
async function work(): Promise<void> {
  const copy = copyTree(ROOT);
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const found = await tryOut(copy, next.area, next.mutation);
    outcomes.push(found);
    const { outcome, id, wallSeconds, cpuSeconds, failure } = found;
    const seconds = `${wallSeconds.toFixed(1).padStart(6)} s ${cpuSeconds.toFixed(1).padStart(6)} CPU s`;
    process.stdout.write(`${outcome.padEnd(8)} ${seconds}  ${id}  ${failure.slice(0, 160)}\n`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(outcomes, null, 1)}\n`);
  }
  copy.remove();
}

function scoreOf(list: readonly Outcome[]): string {
  const killed = list.filter(({ outcome }) => outcome !== 'survived').length;
  return `${killed} of ${list.length}`;
}

function cpuOf(list: readonly Outcome[]): number {
  return list.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

// ends what runs, and removes the copies
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await Promise.all(Array.from({ length: jobs }, work));
for (const area of MUTATIONS.keys()) {
  const ofArea = outcomes.filter((each) => each.area === area);
  if (ofArea.length === 0) continue;
  process.stdout.write(
    `${area.padEnd(8)} ${scoreOf(ofArea).padStart(10)} ${cpuOf(ofArea).toFixed(0).padStart(6)} CPU s\n`,
  );
}
const whole = (cpuOf(outcomes) + unbrokenCpuSeconds).toFixed(0);
process.stdout.write(
  `${whole} CPU s, ${unbrokenCpuSeconds.toFixed(0)} of them without a mutation\nscore ${scoreOf(outcomes)}\n`,
);
process.exitCode = outcomes.every(({ outcome }) => outcome !== 'survived') ? 0 : 1;
