import { Counter, Gauge, type Registry } from 'prom-client';
import { boundedLabel } from './labels.ts';

/** What a comparison with the chain found. */
export interface ReconciliationFacts {
  readonly height: number;
  readonly disagreed: number;
  readonly unserved: readonly { readonly path: string; readonly count: number }[];
}

/** What the comparison of a module's whole state found. */
export interface ExportFacts {
  readonly module: string;
  readonly height: number;
  /** Undefined where it was not compared. */
  readonly compared: { readonly differences: readonly unknown[]; readonly leftOut: number } | undefined;
}

const MAX_QUERIES = 32;
const MAX_MODULES = 32;

/** Returns what a comparison is told to; undefined for one that failed. */
export function addReconciliationMetrics(
  registry: Registry,
): (found: ReconciliationFacts | undefined) => void {
  const registers = [registry];
  const queryLabel = boundedLabel(MAX_QUERIES);
  const runs = new Counter({
    name: 'strata_reconciliations_total',
    help: "Comparisons with the chain's own numbers",
    labelNames: ['outcome'],
    registers,
  });
  const height = new Gauge({
    name: 'strata_reconciliation_height',
    help: 'Height of the last comparison',
    registers,
  });
  const disagreements = new Gauge({
    name: 'strata_reconciliation_disagreements',
    help: 'Rows of the last comparison that do not agree',
    registers,
  });
  const unserved = new Counter({
    name: 'strata_reconciliation_unserved_total',
    help: 'Queries that the chain did not serve',
    labelNames: ['query'],
    registers,
  });
  return (found) => {
    if (found === undefined) {
      runs.inc({ outcome: 'failed' });
      return;
    }
    runs.inc({ outcome: found.disagreed === 0 ? 'agreed' : 'disagreed' });
    height.set(found.height);
    disagreements.set(found.disagreed);
    for (const { path, count } of found.unserved) unserved.inc({ query: queryLabel(path) }, count);
  };
}

/** Returns what a comparison of a module is noted with; undefined for one that failed. */
export function addExportMetrics(registry: Registry): (found: ExportFacts | undefined) => void {
  const registers = [registry];
  const moduleLabel = boundedLabel(MAX_MODULES);
  const runs = new Counter({
    name: 'strata_export_comparisons_total',
    help: "Comparisons of modules' whole states with the chain's",
    labelNames: ['outcome'],
    registers,
  });
  const differences = new Gauge({
    name: 'strata_export_differences',
    help: 'Values of a module that differed when its whole state was last compared',
    labelNames: ['module'],
    registers,
  });
  const height = new Gauge({
    name: 'strata_export_height',
    help: 'Height of the last comparison of a module',
    labelNames: ['module'],
    registers,
  });
  return (found) => {
    if (found?.compared === undefined) {
      runs.inc({ outcome: found === undefined ? 'failed' : 'not_compared' });
      return;
    }
    const { compared } = found;
    const count = compared.differences.length + compared.leftOut;
    const module = moduleLabel(found.module);
    runs.inc({ outcome: count === 0 ? 'agreed' : 'disagreed' });
    differences.set({ module }, count);
    height.set({ module }, found.height);
  };
}
