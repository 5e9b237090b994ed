import { Counter, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from 'strata-kit/errors';
import { boundedLabel } from './labels.ts';

/** Hears of each exchange with a node. Node names are URLs without their secrets. */
export interface SourceMetrics {
  /** An exchange that ended with an answer. */
  onRequest(node: string, ms: number, bytes: number): void;
  /** An exchange, or an answer, that was of no use. */
  onError(node: string, code: ErrorCode): void;
}

const MAX_NODES = 64;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

export function addSourceMetrics(registry: Registry): SourceMetrics {
  const registers = [registry];
  const nodeLabel = boundedLabel(MAX_NODES);
  const seconds = new Histogram({
    name: 'strata_source_request_seconds',
    help: 'Time of a request to a node that was answered',
    labelNames: ['node'],
    buckets: SECONDS,
    registers,
  });
  const received = new Counter({
    name: 'strata_source_bytes_total',
    help: "Bytes of a node's answers",
    labelNames: ['node'],
    registers,
  });
  const errors = new Counter({
    name: 'strata_source_errors_total',
    help: 'Requests and answers that failed, by the code that the log gives',
    labelNames: ['node', 'code'],
    registers,
  });
  return {
    onRequest(node, ms, bytes) {
      const labels = { node: nodeLabel(node) };
      seconds.observe(labels, ms / 1_000);
      received.inc(labels, bytes);
    },
    onError: (node, code) => errors.inc({ node: nodeLabel(node), code }),
  };
}
