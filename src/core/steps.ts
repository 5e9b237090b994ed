/**
 * The moments at which a process that writes may die with something half done. The code tells them as it passes;
 * nobody listens unless a test has asked (src/config.ts), which then kills the process there.
 */

/** In the order in which a process passes them. Those with a table say so. */
export const STEPS = [
  /** The spool of whoever was here before is empty. */
  'start:spool-cleared',
  /** Before each statement of a migration. */
  'migrate:statement',
  'migrate:done',
  /** Before a generation that no checkpoint names any more is dropped; with the table. */
  'generation:drop',
  /** Before the rows above the checkpoint are deleted; with the table. */
  'repair:delete',
  /** All deleted, none verified. */
  'repair:verify',
  /** The tables are about to be compared with the newest checkpoint. */
  'repair:compare',
  /** An older checkpoint agrees; the newer ones are about to go. */
  'step-back:checkpoints',
  /** They are gone, the rows that they counted are not. */
  'step-back:rows',
  /** The modules' rows are not what any checkpoint counts: before one that names none of them is written. */
  'step-back:modules',
  /** Modules are about to be derived again from stored facts, after a start or by `strata reindex`. */
  'reindex:begin',
  /** Before an insert; with the table. */
  'reindex:insert',
  /** Every row of the new generation is there, and nobody sees it. */
  'reindex:derived',
  /** The checkpoint names it. */
  'reindex:switched',
  /** What it has replaced is gone. */
  'reindex:dropped',
  'start:done',
  /** The commit's files are closed. */
  'commit:begin',
  /** Before an insert; with the table. */
  'commit:insert',
  /** Every table has its rows. */
  'commit:inserted',
  /** The views' rows are counted. */
  'commit:counted',
  /** Before the counts of the ranges of heights that are complete are inserted, should there be any. */
  'commit:seal',
  /** Those are counted too. */
  'commit:sealed',
  /** Before the checkpoint is written. */
  'commit:checkpoint',
  /** It is written, the spool is still there. */
  'commit:written',
  'commit:done',
] as const;

export type StepName = (typeof STEPS)[number];

/** Tells that a step is reached, before what its name says is done. */
export type Step = (name: StepName, table?: string) => void;

export const noStep: Step = () => undefined;

/** What a test asks for. */
export interface StepWatch {
  /** An open descriptor to which each step is written as a line. */
  readonly traceDescriptor?: number;
  /** The process kills itself when it reaches this step for the `time`-th time. */
  readonly killAt?: KillPoint;
}

export interface KillPoint {
  /** As it is traced: see stepLabel. */
  readonly label: string;
  /** From 1. */
  readonly time: number;
}

/** `commit:insert/txs`; `commit:written` */
export function stepLabel(name: StepName, table?: string): string {
  return table === undefined ? name : `${name}/${table}`;
}

/** `label` or `label@time`; undefined when it is no step. */
export function parseKillPoint(text: string): KillPoint | undefined {
  const [, label = '', name = '', time = '1'] =
    /^(([a-z:-]+)(?:\/\w+)?)(?:@([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (!STEPS.some((step) => step === name)) return undefined;
  return { label, time: Number(time) };
}
