import { Counter, Gauge, type Registry } from 'prom-client';
import { boundedLabel } from './labels.ts';

/** What a comparison with the chain found. */
export interface ReconciliationFacts {
  readonly height: number;
  readonly disagreed: number;
  readonly unserved: readonly { readonly path: string; readonly count: number }[];
}

const MAX_QUERIES = 32;

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
