import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/store/package-root.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it should be, e.g. `≥ 8`; for those who read the table. */
  readonly aim?: string;
}

/** Prints a table and keeps it as JSON in bench/results/. */
export function report(figures: readonly Figure[], what: string): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, value, unit, aim } of figures) {
    const wanted = aim === undefined ? '' : `  (aim ${aim})`;
    console.log(`${name.padEnd(width)}  ${format(value).padStart(12)} ${unit}${wanted}`);
  }
  const folder = join(packageRoot(), 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const facts = { what, node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length, figures };
  writeFileSync(join(folder, `${what}.json`), `${JSON.stringify(facts, null, 2)}\n`);
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
