import { Gauge, type Registry } from 'prom-client';

/** A gauge that is read when it is asked for; while the value is undefined it shows the last, 0 before the first. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  value: () => number | undefined,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: () => {
      const now = value();
      if (now !== undefined) gauge.set(now);
    },
  });
}
