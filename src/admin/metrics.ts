import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface ProcessFacts {
  readonly version: string;
  /** `index`, `serve`, … */
  readonly command: string;
}

/**
 * A registry of its own, so that several can live in one process, with prom-client's metrics of the process: CPU,
 * memory, file descriptors, event-loop lag (nodejs_eventloop_lag_*), garbage collection.
 */
export function createMetrics({ version, command }: ProcessFacts): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const info = new Gauge({
    name: 'strata_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'command'],
    registers: [registry],
  });
  info.set({ version, command }, 1);
  return registry;
}
