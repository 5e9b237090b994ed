import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { allowancesOf, type Budget, overBudget } from './budget.ts';
import { costTable, type FileCost } from './cost.ts';

/**
 * Reports what each test file costs: prints the 20 dearest and writes all of them to `dist/test-cost/<name>.json`. The name
 * is STRATA_TEST_COST; else `suite` for `npm test`, and `some` for a run of chosen files or projects. A run that `test/budget.json` names fails where a file is over its
 * allowance; with STRATA_TEST_BUDGET=write its allowances are written anew instead.
 */
export function createCostReporter(): Reporter {
  const root = join(import.meta.dirname, '..', '..');
  // vitest run <what is chosen>
  const name = process.env.STRATA_TEST_COST ?? (process.argv.length > 3 ? 'some' : 'suite');
  const folder = join(root, 'dist', 'test-cost');
  const lines = join(folder, `${name}.jsonl`);
  // the test processes inherit it
  process.env.STRATA_TEST_COST_LINES = lines;
  let vitest: Vitest | undefined;

  return {
    onInit(started) {
      vitest = started;
      mkdirSync(dirname(lines), { recursive: true });
      rmSync(lines, { force: true });
    },
    onTestRunEnd(modules) {
      const costs = readCosts(lines, root, modules);
      rmSync(lines, { force: true });
      if (costs.length === 0) return;
      writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(costs, null, 1)}\n`);
      vitest?.logger.log(`\n${costTable(costs, 20)}`);
      const budgetPath = join(root, 'test', 'budget.json');
      const budget = JSON.parse(readFileSync(budgetPath, 'utf8')) as Budget;
      if (process.env.STRATA_TEST_BUDGET === 'write') {
        const runs = { ...budget.runs, [name]: allowancesOf(costs) };
        writeFileSync(budgetPath, `${JSON.stringify({ ...budget, runs }, null, 2)}\n`);
        return;
      }
      for (const line of overBudget(costs, budget.runs[name] ?? {})) {
        vitest?.logger.error(` FAIL  test/budget.json > ${line}`);
        process.exitCode = 1;
      }
    },
  };
}

/** Dearest first. A file whose process was killed has no line and is left out. */
function readCosts(lines: string, root: string, modules: readonly TestModule[]): readonly FileCost[] {
  const wallSeconds = new Map(
    modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      return [relative(root, module.moduleId), (setupDuration + collectDuration + duration) / 1_000] as const;
    }),
  );
  return textOf(lines)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly file: string; readonly cpuSeconds: number })
    .map(({ file, cpuSeconds }) => {
      const path = relative(root, file);
      return { file: path, cpuSeconds, wallSeconds: wallSeconds.get(path) ?? 0 };
    })
    .sort((a, b) => b.cpuSeconds - a.cpuSeconds);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // no test file has ended, or this is no Linux
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
