import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allowancesOf, type Budget, overBudget, REASON_SECONDS } from './budget.ts';

const cost = (file: string, cpuSeconds: number) => ({ file, cpuSeconds, wallSeconds: cpuSeconds });
const FILES = Array.from({ length: 12 }, (_, i) => `test/${i}.test.ts`);
const ALLOWED = Object.fromEntries(FILES.map((file) => [file, 10]));

describe('a budget', () => {
  it('names the files that take more than twice their allowance', () => {
    const costs = FILES.map((file, i) => cost(file, i === 3 ? 20.1 : i === 4 ? 20 : 10));
    expect(overBudget(costs, ALLOWED)).toEqual(['test/3.test.ts took 20.1 CPU s of 10.0']);
  });

  it('lets the first file of a process pay 10 CPU seconds for those after it', () => {
    const allowed = { ...ALLOWED, 'test/0.test.ts': 6 };
    const costs = (first: number) => FILES.map((file, i) => cost(file, i === 0 ? first : 10));
    expect(overBudget(costs(16), allowed)).toEqual([]);
    expect(overBudget(costs(16.1), allowed)).toEqual(['test/0.test.ts took 16.1 CPU s of 6.0']);
  });

  it('grows with the median file on a slower machine, and does not shrink on a faster one', () => {
    expect(
      overBudget([...FILES.map((file) => cost(file, 30)), cost('test/new.test.ts', 44)], ALLOWED),
    ).toEqual([]);
    const fast = FILES.map((file, i) => cost(file, i === 0 ? 19 : 2));
    expect(overBudget(fast, ALLOWED)).toEqual([]);
  });

  it('has an allowance for files that it does not name', () => {
    const costs = [...FILES.map((file) => cost(file, 10)), cost('test/new.test.ts', 15.1)];
    expect(overBudget(costs, ALLOWED)).toEqual([
      'test/new.test.ts took 15.1 CPU s of 5.0, without an allowance of its own',
    ]);
  });

  it('judges no run of a few files', () => {
    expect(overBudget([cost('test/0.test.ts', 100)], ALLOWED)).toEqual([]);
  });

  it('is written from what a run cost, without the cheap files', () => {
    expect(allowancesOf([cost('b', 5.1), cost('a', 30), cost('c', 5)])).toEqual({ a: 30, b: 6 });
  });
});

it('test/budget.json gives a reason for each file above 20 CPU s, and for no other', () => {
  const { runs, reasons } = JSON.parse(
    readFileSync(new URL('../budget.json', import.meta.url), 'utf8'),
  ) as Budget;
  const dear = Object.values(runs).flatMap((allowed) =>
    Object.entries(allowed).flatMap(([file, seconds]) => (seconds > REASON_SECONDS ? [file] : [])),
  );
  expect(Object.keys(reasons).sort()).toEqual([...new Set(dear)].sort());
});
