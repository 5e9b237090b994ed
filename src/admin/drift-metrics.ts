import type { Registry } from 'prom-client';
import { addGauge } from './gauge.ts';

/** Whether the index is right, as a process that serves it reads it from the store. */
export interface Drift {
  /** Rows of drift, checks that do not agree, and differences of whole modules. */
  readonly driftTotal: number;
  /** Sequence of the newest reconciliation: milliseconds since 1970 at its beginning; 0 before the first. */
  readonly reconciliations: number;
}

export function addDriftMetrics(registry: Registry, drift: () => Drift | undefined): void {
  addGauge(
    registry,
    'strata_drift_total',
    'Disagreements on record: event values that are not the derived ones, checks that do not agree, differences of whole modules',
    () => drift()?.driftTotal,
  );
  addGauge(
    registry,
    'strata_reconciliation_timestamp_seconds',
    'When the newest reconciliation with the chain began, in seconds since 1970; 0 before the first',
    () => {
      const now = drift();
      return now === undefined ? undefined : now.reconciliations / 1_000;
    },
  );
}
