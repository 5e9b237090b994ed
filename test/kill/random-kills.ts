import { setTimeout as sleep } from 'node:timers/promises';
import { startTracedWith, type TracedCommand } from '../support/command.ts';
import { hasNew, unfinishedMerges } from './part-folders.ts';
import { type KillPlan, killSchedule, PHASES, type Phase, phaseOf } from './schedule.ts';
import { createTimings, type Timings } from './timings.ts';

/** The real process over one backfill, killed again and again. */

export interface Killing {
  /** Of a node; see bench/support/stretched-node.ts. */
  readonly rpcUrl: string;
  /** So far that no run comes there before it is killed. */
  readonly toHeight: number;
  readonly data: string;
  readonly kills: number;
  readonly seed: number;
  /** 200 by default. */
  readonly commitBlocks?: number;
  /** Bounds the blocks that wait while a commit runs, which are the next commit; 16 by default. */
  readonly memoryMb?: number;
  readonly log: (line: string) => void;
}

/** How many kills fell in each phase; one during a merge counts in another phase too. */
export type KillCounts = Readonly<Record<Phase, number>>;

const COMMIT_BLOCKS = 200;
/** Some 400 blocks of the recorded chain. */
const MEMORY_MB = 16;
/** How long a merge is waited for, in commits: then the process is killed without. */
const MERGE_COMMITS = 8;
const MERGE_POLL_MS = 2;
/** What is over in milliseconds is aimed at in its first half: the signal takes its time. */
const EARLY = 0.5;

export function indexArguments({
  rpcUrl,
  toHeight,
  data,
  memoryMb = MEMORY_MB,
}: Pick<Killing, 'rpcUrl' | 'toHeight' | 'data' | 'memoryMb'>): string[] {
  return [
    ...['index', '--rpc', rpcUrl, '--data', data, '--to', `${toHeight}`],
    ...['--memory-mb', `${memoryMb}`, '--log-format', 'json'],
  ];
}

export function indexVariables({ commitBlocks = COMMIT_BLOCKS }: Pick<Killing, 'commitBlocks'>) {
  return { STRATA_TEST_COMMIT_BLOCKS: `${commitBlocks}` };
}

/** Starts and kills `kills` times. Errors: when a run ends in another way than by the kill. */
export async function killAtRandom(killing: Killing): Promise<KillCounts> {
  const counts: Record<Phase, number> = { 'start-up': 0, decode: 0, insert: 0, checkpoint: 0, merge: 0 };
  const schedule = killSchedule(killing.seed, killing.kills);
  const timings = createTimings();
  for (let kill = 1; kill <= killing.kills; kill++) {
    const plan = schedule.next(PHASES.filter((phase) => counts[phase] === 0));
    const merges = kill === 1 ? new Set<string>() : unfinishedMerges(killing.data);
    const run = startTracedWith(indexVariables(killing), undefined, ...indexArguments(killing));
    timings.watch(run);
    await untilTime(run, plan, timings, () => hasNew(unfinishedMerges(killing.data), merges));
    const { signal, stderr } = await run.stop('SIGKILL');
    if (signal !== 'SIGKILL') throw new Error(`kill ${kill} came too late: the run had ended\n${stderr}`);
    const step = run.steps.at(-1);
    const commits = commitsOf(run);
    if (plan.aim !== 'start-up' && commits === 0) throw new Error(`kill ${kill} came before a commit`);
    const phase = phaseOf(step);
    const merging = hasNew(unfinishedMerges(killing.data), merges);
    counts[phase]++;
    if (merging) counts.merge++;
    const aim = plan.aim === undefined ? 'any time' : `aimed at ${plan.aim}`;
    const where = `${phase} (${step ?? 'before its first step'})${merging ? ', during a merge' : ''}`;
    killing.log(`kill ${kill}, ${aim}: after ${commits} commits, in ${where}`);
  }
  return counts;
}

/** Waits for the moment of the plan, or the end of the process. */
async function untilTime(
  run: TracedCommand,
  { aim, commits, share }: KillPlan,
  timings: Timings,
  isMerging: () => boolean,
): Promise<void> {
  const reached = (step: string, times: number) => untilStep(run, step, times);
  switch (aim) {
    case 'start-up':
      return pause(run, share * timings.startUpMs);
    case 'insert':
      await reached('commit:done', commits);
      await reached('commit:begin', commits + 1);
      return pause(run, share * timings.insertMs);
    case 'checkpoint':
      await reached('commit:sealed', commits + 1);
      return pause(run, share * EARLY * timings.checkpointMs);
    case 'decode':
      await reached('commit:done', commits);
      return pause(run, share * EARLY * timings.decodeMs);
    case 'merge':
      await reached('commit:done', commits);
      while (!isMerging() && commitsOf(run) < commits + MERGE_COMMITS) await pause(run, MERGE_POLL_MS);
      return;
    case undefined:
      await reached('commit:done', commits);
      return pause(run, share * (timings.insertMs + timings.checkpointMs + timings.decodeMs));
  }
}

function commitsOf({ steps }: TracedCommand): number {
  return steps.filter((step) => step === 'commit:written').length;
}

function untilStep(run: TracedCommand, wanted: string, times: number): Promise<void> {
  return new Promise((resolve) => {
    let left = times;
    run.onStep((step) => {
      if (step === wanted && --left === 0) resolve();
    });
    void run.ended.then(() => resolve());
  });
}

async function pause(run: TracedCommand, ms: number): Promise<void> {
  if (ms >= 1) await Promise.race([sleep(ms), run.ended]);
}
