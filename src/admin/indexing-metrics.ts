import { Counter, Histogram, type Registry } from 'prom-client';
import { addGauge } from './gauge.ts';

/** What a commit tells, as the pipeline's CommitReport has it. */
export interface CommitFacts {
  readonly blocks: number;
  readonly txs: number;
  readonly events: number;
  readonly rawBytes: number;
  readonly nativeBytes: number;
  /** From its first range to the beginning of the commit. */
  readonly gatherMs: number;
  /** The commit itself. */
  readonly durationMs: number;
}

/** What is between a fetch and its commit. */
export interface InFlight {
  readonly bytes: number;
  readonly limitBytes: number;
  /** Being fetched, being decoded, or waiting for the writer. */
  readonly ranges: number;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Work done, its times, and the queue. Returns what a commit is told to. */
export function addIndexingMetrics(
  registry: Registry,
  inFlight: () => InFlight | undefined,
): (commit: CommitFacts) => void {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const blocks = counter('strata_blocks_total', 'Blocks committed');
  const txs = counter('strata_txs_total', 'Transactions committed');
  const events = counter('strata_events_total', 'Events committed');
  const rawBytes = counter('strata_raw_bytes_total', "Bytes of the nodes' answers that were committed");
  const nativeBytes = counter('strata_native_bytes_total', 'Bytes that were inserted, before compression');
  const batchSeconds = new Histogram({
    name: 'strata_batch_seconds',
    help: "Time in which a commit's ranges came together, until the commit began",
    buckets: SECONDS,
    registers,
  });
  const commitSeconds = new Histogram({
    name: 'strata_commit_seconds',
    help: 'Time of a commit: the inserts and the checkpoint',
    buckets: SECONDS,
    registers,
  });
  const gauge = (name: string, help: string, value: (now: InFlight) => number): void =>
    addGauge(registry, name, help, () => {
      const now = inFlight();
      return now === undefined ? undefined : value(now);
    });
  gauge('strata_queue_bytes', 'Bytes fetched, decoding, decoded and not yet committed', (now) => now.bytes);
  gauge(
    'strata_queue_limit_bytes',
    'What strata_queue_bytes is held under (--memory-mb)',
    (now) => now.limitBytes,
  );
  gauge(
    'strata_ranges_in_flight',
    'Ranges being fetched or decoded, or waiting for the writer',
    (now) => now.ranges,
  );
  return (commit) => {
    blocks.inc(commit.blocks);
    txs.inc(commit.txs);
    events.inc(commit.events);
    rawBytes.inc(commit.rawBytes);
    nativeBytes.inc(commit.nativeBytes);
    batchSeconds.observe(commit.gatherMs / 1_000);
    commitSeconds.observe(commit.durationMs / 1_000);
  };
}
