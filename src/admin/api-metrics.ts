import { Counter, Histogram, type Registry } from 'prom-client';
import { boundedLabel } from './labels.ts';

/** One answer of the API. */
export interface AnswerFacts {
  /** The route's pattern, such as `/v1/txs/:hash`, never the path that was asked for. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Taken from the cache of answers. */
  readonly cached: boolean;
  readonly bytes: number;
}

/** More than the contract has. */
const MAX_ROUTES = 64;
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Returns what each answer is told to. */
export function addApiMetrics(registry: Registry): (answer: AnswerFacts) => void {
  const registers = [registry];
  const routeLabel = boundedLabel(MAX_ROUTES);
  const seconds = new Histogram({
    name: 'strata_api_request_seconds',
    help: 'Time from a request to its answer, without the time that the client takes to read it',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const cached = new Counter({
    name: 'strata_api_cached_total',
    help: 'Answers taken from the cache',
    labelNames: ['route'],
    registers,
  });
  const bytes = new Counter({
    name: 'strata_api_bytes_total',
    help: 'Bytes of the bodies of answers',
    labelNames: ['route'],
    registers,
  });
  return (answer) => {
    const route = routeLabel(answer.route);
    seconds.observe({ route, status: statusClass(answer.status) }, answer.durationMs / 1_000);
    bytes.inc({ route }, answer.bytes);
    // seen at 0 too, so that a rate has a beginning
    cached.inc({ route }, answer.cached ? 1 : 0);
  };
}

function statusClass(status: number): string {
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other';
}
