import { Counter, type Registry } from 'prom-client';
import { addGauge } from './gauge.ts';

/** Returns what each refusal of the trade desk is counted by. */
export function addDeskMetrics(
  registry: Registry,
  isPaused: () => boolean,
): (door: string, reason: string) => void {
  addGauge(registry, 'strata_desk_paused', '1 while the operator has paused the desk', () =>
    isPaused() ? 1 : 0,
  );
  const refusals = new Counter({
    name: 'strata_desk_refusals_total',
    help: 'Trades that the desk refused: requests for a quote, and settlements proposed to it',
    labelNames: ['door', 'reason'],
    registers: [registry],
  });
  return (door, reason) => refusals.inc({ door, reason });
}
