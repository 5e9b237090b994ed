import { createCursorCodec } from '../src/api/cursor.ts';
import { ROUTES } from '../src/api/routes.ts';
import type { Store, StoreFactory } from '../src/store/store.ts';
import type { ApiStore } from './support/api-store.ts';
import { startProbe } from './support/probe.ts';
import { type Figure, quantile } from './support/report.ts';
import { type ApiParts, withServer } from './support/serve-api.ts';

/** Routes whose answers need no query. */
const WITHOUT_SQL = ['/openapi.yaml', '/v1/status'];
const NO_CACHE = { cacheBytes: 1 };

/**
 * Each route's p50 over HTTP, nothing of it cached, against the SQL that this very request runs, run bare, one statement
 * after the other, on a session of its own of the same store. Requests and bare runs take turns.
 */
export async function benchRoutes(
  stores: StoreFactory,
  parts: ApiParts,
  data: ApiStore,
  samples: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const asked: string[] = [];
  const bare = await stores.open('bare');
  const told = await parts.create({ ...NO_CACHE, asked });
  const measured = await parts.create(NO_CACHE);
  await withServer(measured, async (url) => {
    const probe = await startProbe(url);
    for (const { path } of ROUTES) {
      if (WITHOUT_SQL.includes(path)) continue;
      const httpMs: number[] = [];
      const bareMs: number[] = [];
      for (const [i, target] of targetsOf(path, parts, data, samples).entries()) {
        // this one warms what the store keeps, and tells the SQL
        asked.length = 0;
        const answer = await told.handle('GET', target);
        if (answer.status !== 200) throw new Error(`${target} answered ${answer.status}`);
        const statements = [...asked];
        const runs = [
          async () => httpMs.push(await probe.ask(target)),
          async () => bareMs.push(await runBare(bare, statements)),
        ];
        for (const run of i % 2 === 0 ? runs : runs.reverse()) await run();
      }
      const [http, sql] = [quantile(httpMs, 0.5), quantile(bareMs, 0.5)];
      figures.push(
        { name: `${path}, p50`, value: http, unit: 'ms' },
        { name: `${path}, p50 ÷ the same SQL bare`, value: http / sql, unit: 'ratio', aim: '≤ 1.3' },
      );
    }
    probe.stop();
  });
  await bare.close();
  return figures;
}

async function runBare(store: Store, statements: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  for (const sql of statements) await store.query(sql, { timeoutSeconds: 10 });
  return performance.now() - startedMs;
}

/** Targets that differ, so that also what is kept by account or height is not there. */
function targetsOf(path: string, parts: ApiParts, data: ApiStore, samples: number): string[] {
  const cursors = createCursorCodec(parts.cursorKey);
  const heights = data.heights.slice(0, samples);
  return Array.from({ length: samples }, (_, i): string => {
    const height = heights[i % heights.length] ?? 1;
    const next = (...scope: string[]) => cursors.encode(scope, { kind: 'next', key: { height, txIndex: 0 } });
    switch (path) {
      case '/v1/stats':
        return `/v1/stats?limit=${(i % 10) + 1}`;
      case '/v1/blocks':
        return `/v1/blocks?limit=50&cursor=${next('/v1/blocks')}`;
      case '/v1/blocks/{height}':
        return `/v1/blocks/${height}`;
      case '/v1/txs':
        return `/v1/txs?limit=20&cursor=${next('/v1/txs', '', '')}`;
      case '/v1/txs/{hash}':
        return `/v1/txs/${data.hashes[i]}`;
      case '/v1/accounts/{addr}/txs':
        return `/v1/accounts/${data.accounts[i % data.accounts.length]}/txs?limit=20`;
      case '/v1/lookup/{q}':
        return `/v1/lookup/${i % 2 === 0 ? data.hashes[i] : data.accounts[i % data.accounts.length]}`;
      default:
        throw new Error(`no targets for ${path}`);
    }
  });
}
