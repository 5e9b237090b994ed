import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { createRpcSource } from '../src/chain/rpc/source.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { startChild } from './support/child.ts';
import { indexAll, RANGE_BLOCKS } from './support/indexing.ts';
import type { Figure } from './support/report.ts';

const RANGES_IN_FLIGHT = 4;

/**
 * Blocks/s of a backfill from a node on loopback into an empty embedded store, until everything is committed, against
 * a bare loop that fetches the same bytes with the same source, ranges and threads and JSON.parses each body once.
 */
export async function benchBackfill(blocks: number, workers: number): Promise<Figure[]> {
  const node = await startChild(new URL('./support/stretched-node.js', import.meta.url), [String(blocks)]);
  try {
    const floor = await bareLoop(node.ready, blocks, workers);
    const backfill = await runBackfill(node.ready, blocks, workers);
    return [
      { name: 'floor (fetch + JSON.parse)', value: blocks / floor.seconds, unit: 'blocks/s' },
      { name: 'floor', value: floor.bytes / 1e6 / floor.seconds, unit: 'MB/s' },
      { name: 'backfill, committed', value: blocks / backfill.seconds, unit: 'blocks/s' },
      { name: 'backfill ÷ floor', value: floor.seconds / backfill.seconds, unit: 'ratio' },
      { name: 'backfill, process CPU', value: backfill.cpuSeconds / backfill.seconds, unit: 'cores' },
      { name: 'backfill, peak RSS', value: backfill.peakRssBytes / 1e6, unit: 'MB' },
    ];
  } finally {
    const { cpuSeconds } = JSON.parse(await node.stop()) as { cpuSeconds: number };
    console.log(`node's own CPU over both runs: ${cpuSeconds.toFixed(1)} s`);
  }
}

async function bareLoop(
  url: string,
  blocks: number,
  workers: number,
): Promise<{ seconds: number; bytes: number }> {
  const source = createRpcSource({ urls: [url] });
  const pool = new Piscina({
    filename: new URL('./support/parse-worker.js', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
  });
  const startedMs = performance.now();
  let bytes = 0;
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= blocks) {
      const from = next;
      const to = Math.min(blocks, from + RANGE_BLOCKS - 1);
      next = to + 1;
      const range = await source.fetch(from, to);
      bytes += range.byteLength;
      const bodies = range.bodies.map((body) => body.bytes);
      await pool.run(bodies, {
        name: 'parse',
        transferList: bodies.map((body) => body.buffer as ArrayBuffer),
      });
    }
  };
  await Promise.all(Array.from({ length: workers * RANGES_IN_FLIGHT }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.destroy();
  await source.close();
  return { seconds, bytes };
}

async function runBackfill(url: string, blocks: number, workers: number) {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  const stores = await openEmbedded({ folder });
  const source = createRpcSource({ urls: [url] });
  let peakRssBytes = 0;
  const sampler = setInterval(() => {
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
  }, 100);
  try {
    const startedCpu = process.cpuUsage();
    const startedMs = performance.now();
    await indexAll(source, stores, blocks, workers);
    const seconds = (performance.now() - startedMs) / 1000;
    const { user, system } = process.cpuUsage(startedCpu);
    return { seconds, cpuSeconds: (user + system) / 1e6, peakRssBytes };
  } finally {
    clearInterval(sampler);
    await source.close();
    await stores.close();
    await rm(folder, { recursive: true, force: true });
  }
}
