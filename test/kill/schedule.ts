import type { StepName } from '../../src/core/steps.ts';
import { type Random, seededRandom } from '../support/random.ts';

/** When a process is killed, out of one number. */

/** What a process is at, by the last step that it told; a merge runs beside any of them and is counted beside them. */
export const PHASES = ['start-up', 'decode', 'insert', 'checkpoint', 'merge'] as const;
export type Phase = (typeof PHASES)[number];

export interface KillPlan {
  /** Undefined: any time. */
  readonly aim: Phase | undefined;
  /** Commits of this run that come before, but for a kill in start-up, which comes before all. */
  readonly commits: number;
  /** Where in the phase, from 0 to 1: of the time that it took the last time. */
  readonly share: number;
}

export interface Schedule {
  /** The next kill. While some phases are still `missing` towards the end, it is aimed at one of those. */
  next(missing: readonly Phase[]): KillPlan;
}

const MAX_COMMITS = 3;
/** From this share of the kills on, phases that had none are aimed at. */
const MISSING_FROM = 0.6;

/**
 * One kill at any time and one aimed at each phase in turn, in an order that changes from turn to turn. The schedule is
 * the seed's alone; where a kill falls depends on the machine too, since the process does not wait for it.
 */
export function killSchedule(seed: number, kills: number): Schedule {
  const random = seededRandom(seed);
  let turn: (Phase | undefined)[] = [];
  let planned = 0;
  return {
    next(missing) {
      if (turn.length === 0) turn = shuffled([undefined, ...PHASES], random);
      const scheduled = turn.pop();
      const commits = random.between(1, MAX_COMMITS);
      const share = random.between(0, 1_000) / 1_000;
      const late = planned++ >= kills * MISSING_FROM;
      return { aim: late ? (missing[planned % missing.length] ?? scheduled) : scheduled, commits, share };
    },
  };
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const mixed = [...values];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = random.between(0, i);
    const [a, b] = [mixed[i] as T, mixed[j] as T];
    mixed[i] = b;
    mixed[j] = a;
  }
  return mixed;
}

type StepPhase = Exclude<Phase, 'merge'>;

const PHASE_AFTER: Readonly<Record<StepName, StepPhase>> = {
  'start:spool-cleared': 'start-up',
  'migrate:statement': 'start-up',
  'migrate:done': 'start-up',
  'generation:drop': 'start-up',
  'repair:delete': 'start-up',
  'repair:verify': 'start-up',
  'repair:compare': 'start-up',
  'step-back:checkpoints': 'start-up',
  'step-back:rows': 'start-up',
  'step-back:modules': 'start-up',
  'reindex:begin': 'start-up',
  'reindex:insert': 'start-up',
  'reindex:derived': 'start-up',
  'reindex:switched': 'start-up',
  'reindex:dropped': 'start-up',
  'start:done': 'decode',
  'commit:begin': 'insert',
  'commit:insert': 'insert',
  'commit:inserted': 'insert',
  'commit:counted': 'insert',
  'commit:seal': 'insert',
  'commit:sealed': 'checkpoint',
  'commit:checkpoint': 'checkpoint',
  'commit:written': 'checkpoint',
  'commit:done': 'decode',
};

/** The phase of a process whose last step this is; undefined stands for a process that told none. */
export function phaseOf(step: string | undefined): StepPhase {
  if (step === undefined) return 'start-up';
  const phase = PHASE_AFTER[step.replace(/\/.*$/, '') as StepName];
  if (phase === undefined) throw new Error(`${step} is no step`);
  return phase;
}
