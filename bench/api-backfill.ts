import { createLogger } from 'strata-kit/cli/logging';
import { createRpcSource } from '../src/chain/rpc/source.ts';
import { startServing } from '../src/cli/serving.ts';
import { deferred } from '../src/core/deferred.ts';
import { RowReader } from '../src/core/rowbinary.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import type { StoreFactory } from '../src/store/store.ts';
import { atRest } from './support/api-store.ts';
import { startChild } from './support/child.ts';
import { runFloor } from './support/floor.ts';
import { benchFolder } from './support/folders.ts';
import { indexAll } from './support/indexing.ts';
import type { LoadResult } from './support/load.ts';
import type { Figure } from './support/report.ts';
import { runLoad } from './support/run-load.ts';

/** As many as look at a page at once; each takes a while to read it. */
const CONNECTIONS = 4;
const PAUSE_MS = 20;
/** The load starts when they are there. */
const TARGET_HEIGHTS = 500;

/**
 * Latencies of the API for a steady light load while the same process indexes, as `strata start` does, and again when
 * it is idle; and the backfill's own ratio of that very run.
 */
export async function benchDuringBackfill(
  blocks: number,
  workers: number,
  seconds: number,
): Promise<Figure[]> {
  const node = await startChild(new URL('./support/stretched-node.js', import.meta.url), [
    String(blocks),
    'recorded',
  ]);
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    const before = await runFloor(node.ready, blocks, workers);
    const source = createRpcSource({ urls: [node.ready] });
    const begun = deferred<void>();
    const startedMs = performance.now();
    const indexing = indexAll(source, stores, blocks, workers, ({ height }) => {
      if (height >= TARGET_HEIGHTS) begun.resolve();
    });
    await Promise.race([begun.promise, indexing]);
    const targets = await targetsOf(stores);
    const middle = targets.length >> 1;
    const busy = await serveLoad(stores, targets.slice(0, middle), seconds);
    const loadedMs = performance.now();
    await indexing;
    const backfillSeconds = (performance.now() - startedMs) / 1000;
    await source.close();
    const after = await runFloor(node.ready, blocks, workers);
    const store = await stores.open('rest');
    await atRest(store);
    await store.close();
    const idle = await serveLoad(stores, targets.slice(middle), seconds);
    const floorSeconds = (before.seconds + after.seconds) / 2;
    return [
      { name: 'API idle, p50', value: idle.p50Ms, unit: 'ms' },
      { name: 'API idle, p99', value: idle.p99Ms, unit: 'ms' },
      { name: 'API during a backfill, p50', value: busy.p50Ms, unit: 'ms' },
      { name: 'API during a backfill, p99', value: busy.p99Ms, unit: 'ms' },
      { name: 'API p99 during a backfill ÷ idle', value: busy.p99Ms / idle.p99Ms, unit: 'ratio', aim: '≤ 3' },
      { name: '  that backfill ÷ floor', value: floorSeconds / backfillSeconds, unit: 'ratio' },
      {
        name: '  share of the load that ran beside it',
        value: Math.min(1, (backfillSeconds * 1000 - (loadedMs - startedMs)) / (seconds * 1000) + 1),
        unit: '',
      },
    ];
  } finally {
    await stores.close();
    await node.stop();
  }
}

async function serveLoad(
  stores: StoreFactory,
  targets: readonly string[],
  seconds: number,
): Promise<LoadResult> {
  const log = createLogger({
    format: 'pretty',
    level: 'warn',
    write: (text) => process.stderr.write(text),
  });
  const serving = await startServing(stores, { host: '127.0.0.1', port: 0 }, log);
  const plan = { url: serving.url, connections: CONNECTIONS, pauseMs: PAUSE_MS, seconds, targets };
  const result = await runLoad(plan);
  await serving.close();
  return result;
}

/** Txs, blocks, accounts and lists in random order, none twice but for the lists. */
async function targetsOf(stores: StoreFactory): Promise<string[]> {
  const store = await stores.open('targets');
  const upTo = `height <= ${TARGET_HEIGHTS}`;
  const rows = new RowReader(
    await store.query(
      `SELECT target FROM (
SELECT concat('/v1/txs/', hex(hash)) AS target FROM txs WHERE ${upTo}
UNION ALL SELECT concat('/v1/blocks/', toString(height)) FROM blocks WHERE ${upTo}
UNION ALL SELECT DISTINCT concat('/v1/accounts/', account, '/txs?limit=20') FROM account_txs WHERE ${upTo}
UNION ALL SELECT ['/v1/txs?limit=20', '/v1/stats', '/v1/blocks'][number % 3 + 1] FROM numbers(150)
) ORDER BY cityHash64(target, rowNumberInAllBlocks())`,
    ),
  );
  const targets: string[] = [];
  while (!rows.done) targets.push(rows.string());
  await store.close();
  return targets;
}
