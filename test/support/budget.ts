import type { FileCost } from './cost.ts';

/**
 * What a test file may cost, in CPU seconds on the machine where `test/budget.json` was written, by the name of the run
 * (STRATA_TEST_COST). A file without an allowance has DEFAULT_SECONDS. `reasons` has a line for each file that is allowed
 * more than REASON_SECONDS.
 */
export interface Budget {
  readonly runs: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/** A file that takes so many times its allowance fails the run, */
const LIMIT = 2;
/** and so much more: the first file of a process pays for the code and the chains that those after it share. */
const SHARED_SECONDS = 10;
export const DEFAULT_SECONDS = 5;
export const REASON_SECONDS = 20;
/** Fewer files do not show how fast the machine is. */
const MIN_FILES = 10;

/**
 * The files that are over their allowance, a line each; none where too few files ran to judge. The machine is judged in
 * the same run: where the median file takes 1.5 times its allowance, every allowance is 1.5 times as large.
 */
export function overBudget(
  costs: readonly FileCost[],
  allowances: Readonly<Record<string, number>>,
): readonly string[] {
  const ratios = costs.flatMap(({ file, cpuSeconds }) => {
    const allowed = allowances[file];
    return allowed === undefined ? [] : [cpuSeconds / allowed];
  });
  if (ratios.length < MIN_FILES) return [];
  const factor = Math.max(1, median(ratios));
  return costs.flatMap(({ file, cpuSeconds }) => {
    const allowed = (allowances[file] ?? DEFAULT_SECONDS) * factor;
    if (cpuSeconds <= Math.max(LIMIT * allowed, allowed + SHARED_SECONDS * factor)) return [];
    const unlisted = allowances[file] === undefined ? ', without an allowance of its own' : '';
    return [`${file} took ${cpuSeconds.toFixed(1)} CPU s of ${allowed.toFixed(1)}${unlisted}`];
  });
}

/** The allowances that a run's costs call for: of each file that took more than the default, rounded up to whole seconds. */
export function allowancesOf(costs: readonly FileCost[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    costs
      .filter(({ cpuSeconds }) => cpuSeconds > DEFAULT_SECONDS)
      .sort((a, b) => (a.file < b.file ? -1 : 1))
      .map(({ file, cpuSeconds }) => [file, Math.ceil(cpuSeconds)]),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}
