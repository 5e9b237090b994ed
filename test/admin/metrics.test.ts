import { describe, expect, it } from 'vitest';
import { addApiMetrics } from '../../src/admin/api-metrics.ts';
import { addIndexingMetrics } from '../../src/admin/indexing-metrics.ts';
import { boundedLabel } from '../../src/admin/labels.ts';
import { createMetrics } from '../../src/admin/metrics.ts';
import { addPositionMetrics } from '../../src/admin/position.ts';
import { assessReadiness } from '../../src/admin/readiness.ts';
import { addSourceMetrics } from '../../src/admin/source-metrics.ts';

const facts = { version: '1.2.3', command: 'index' };

/** The lines of /metrics that begin so, comments left out. */
async function lines(registry: ReturnType<typeof createMetrics>, start: string): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(start));
}

describe('a registry', () => {
  it('is its own: two in one process do not share a metric', async () => {
    const [one, other] = [createMetrics(facts), createMetrics({ ...facts, command: 'serve' })];
    expect(await lines(one, 'strata_info')).toEqual(['strata_info{version="1.2.3",command="index"} 1']);
    expect(await lines(other, 'strata_info')).toEqual(['strata_info{version="1.2.3",command="serve"} 1']);
  });

  it('tells of the process: memory, CPU, event-loop lag', async () => {
    const text = await createMetrics(facts).metrics();
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).toContain(`\n${name} `);
  });
});

describe('position', () => {
  it('counts lag in blocks, and in seconds while there are newer blocks', async () => {
    const registry = createMetrics(facts);
    let position = { indexedHeight: 90, chainHeight: 100, blockTimeNs: 1_000_000_000_000n };
    addPositionMetrics(
      registry,
      () => position,
      () => 1_030_500,
    );
    expect(await lines(registry, 'strata_lag')).toEqual(['strata_lag_blocks 10', 'strata_lag_seconds 30.5']);
    position = { ...position, indexedHeight: 100 };
    expect(await lines(registry, 'strata_lag')).toEqual(['strata_lag_blocks 0', 'strata_lag_seconds 0']);
    expect(await lines(registry, 'strata_block_age')).toEqual(['strata_block_age_seconds 30.5']);
  });

  it('of an empty store is no age of half a century', async () => {
    const registry = createMetrics(facts);
    addPositionMetrics(
      registry,
      () => ({ indexedHeight: 0, chainHeight: 7, blockTimeNs: 0n }),
      () => 1e12,
    );
    expect(await lines(registry, 'strata_lag')).toEqual(['strata_lag_blocks 7', 'strata_lag_seconds 0']);
  });
});

describe('indexing', () => {
  it('adds commits up', async () => {
    const registry = createMetrics(facts);
    const note = addIndexingMetrics(registry, () => ({ bytes: 5, limitBytes: 64, ranges: 2 }));
    const commit = {
      blocks: 3,
      txs: 4,
      events: 50,
      rawBytes: 600,
      nativeBytes: 700,
      gatherMs: 200,
      durationMs: 30,
    };
    note(commit);
    note(commit);
    const text = await registry.metrics();
    for (const line of [
      'strata_blocks_total 6',
      'strata_txs_total 8',
      'strata_events_total 100',
      'strata_raw_bytes_total 1200',
      'strata_native_bytes_total 1400',
      'strata_batch_seconds_sum 0.4',
      'strata_commit_seconds_sum 0.06',
      'strata_commit_seconds_count 2',
      'strata_queue_bytes 5',
      'strata_queue_limit_bytes 64',
      'strata_ranges_in_flight 2',
    ])
      expect(text).toContain(`\n${line}\n`);
  });
});

describe('labels', () => {
  it('take a bounded number of values', () => {
    const label = boundedLabel(2);
    expect(['a', 'b', 'c', 'a', 'd'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other']);
  });

  it('keep nodes, routes and status from growing without end', async () => {
    const registry = createMetrics(facts);
    const source = addSourceMetrics(registry);
    const note = addApiMetrics(registry);
    for (let i = 0; i < 1_000; i++) {
      source.onRequest(`http://node-${i}`, 10, 100);
      source.onError(`http://node-${i}`, 'node_timeout');
      note({ route: `/v1/${i}`, status: i, durationMs: 1, cached: i % 2 === 0, bytes: 10 });
    }
    expect(await lines(registry, 'strata_source_bytes_total')).toHaveLength(65);
    expect(await lines(registry, 'strata_source_errors_total')).toHaveLength(65);
    expect(await lines(registry, 'strata_api_cached_total')).toHaveLength(65);
    const statuses = (await lines(registry, 'strata_api_request_seconds_count')).map(
      (line) => /status="(\w+)"/.exec(line)?.[1],
    );
    expect(new Set(statuses)).toEqual(new Set(['other', '1xx', '2xx', '3xx', '4xx', '5xx']));
  });

  it('tell cached answers from others, and a latency by route and class of status', async () => {
    const registry = createMetrics(facts);
    const note = addApiMetrics(registry);
    note({ route: '/v1/txs', status: 200, durationMs: 4, cached: false, bytes: 100 });
    note({ route: '/v1/txs', status: 200, durationMs: 2, cached: true, bytes: 100 });
    note({ route: '/v1/txs', status: 404, durationMs: 1, cached: false, bytes: 40 });
    const text = await registry.metrics();
    expect(text).toContain('strata_api_request_seconds_sum{route="/v1/txs",status="2xx"} 0.006\n');
    expect(text).toContain('strata_api_request_seconds_count{route="/v1/txs",status="4xx"} 1\n');
    expect(text).toContain('strata_api_cached_total{route="/v1/txs"} 1\n');
    expect(text).toContain('strata_api_bytes_total{route="/v1/txs"} 240\n');
  });
});

describe('ready', () => {
  const at = (indexedHeight: number, chainHeight: number) => ({
    position: { indexedHeight, chainHeight, blockTimeNs: 0n },
    readyLagBlocks: 20,
  });

  it('is who is near the chain and has no concern', () => {
    expect(assessReadiness(at(80, 100), [() => undefined], undefined)).toEqual({
      ready: true,
      reasons: [],
      stall: null,
      indexed_height: 80,
      chain_height: 100,
      lag_blocks: 20,
    });
  });

  it('is not who is behind, empty or troubled, and says all of it', () => {
    expect(assessReadiness(at(79, 100), [() => 'no store'], 'no_commit')).toMatchObject({
      ready: false,
      reasons: ['21 blocks behind the chain, more than 20 (--ready-lag)', 'no store'],
      stall: 'no_commit',
    });
    expect(assessReadiness(at(0, 5), [], undefined)).toMatchObject({ reasons: ['nothing is indexed yet'] });
  });

  it('is a process without a store, as long as it runs', () => {
    expect(assessReadiness(undefined, [], undefined)).toEqual({ ready: true, reasons: [], stall: null });
  });
});
