import type { Api } from '../src/api/api.ts';
import { MODULE_ROUTES } from '../src/modules/modules.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { benchFolder } from './support/folders.ts';
import { createPriceStore, DAYS } from './support/price-store.ts';
import { type Figure, quantile } from './support/report.ts';
import { readApiParts } from './support/serve-api.ts';

/**
 * What must not grow with a pool's Syncs: its price and chart. A pool of 10,000,000 Syncs and as many swaps against one
 * of 1,000 over the same 30 days, asked in turns; nothing is cached.
 */

const RANGES = ['1d', '1w', '1m', 'all'];

export async function benchPrices(smoke: boolean): Promise<Figure[]> {
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    const syncs = smoke ? 20_000 : 10_000_000;
    const startedMs = performance.now();
    const { small, large } = await createPriceStore(stores, syncs);
    const seconds = (performance.now() - startedMs) / 1_000;
    const parts = await readApiParts(stores);
    const api = await parts.create({ cacheBytes: 1, routes: MODULE_ROUTES });
    await checkSwaps(api, small, 1_000);
    await checkSwaps(api, large, syncs);
    const figures: Figure[] = [{ name: 'rows made in', value: seconds, unit: 's' }];
    for (const range of RANGES) {
      const times = { small: [] as number[], large: [] as number[] };
      for (let i = smoke ? -1 : -10; i < (smoke ? 2 : 150); i++) {
        for (const which of i % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
          const asset = which === 'small' ? small : large;
          const ms = await timed(api, `/v1/prices/${asset}?range=${range}`);
          if (i >= 0) times[which].push(ms);
        }
      }
      const ratio = (share: number) => quantile(times.large, share) / quantile(times.small, share);
      figures.push(
        { name: `${range}: 1,000 Syncs, p50`, value: quantile(times.small, 0.5), unit: 'ms' },
        { name: '  p99', value: quantile(times.small, 0.99), unit: 'ms' },
        {
          name: `${range}: ${syncs.toLocaleString('en')} Syncs, p50`,
          value: quantile(times.large, 0.5),
          unit: 'ms',
        },
        { name: '  p99', value: quantile(times.large, 0.99), unit: 'ms' },
        { name: `${range}: ÷, p99`, value: ratio(0.99), unit: 'ratio', aim: '≤ 2' },
        { name: '  p50', value: ratio(0.5), unit: 'ratio' },
      );
    }
    return figures;
  } finally {
    await stores.close();
  }
}

/** One in thirty is of the last day. */
async function checkSwaps(api: Api, asset: string, swaps: number): Promise<void> {
  const { body } = await api.handle('GET', `/v1/prices/${asset}`);
  const { swaps_24h, points } = JSON.parse(Buffer.from(body).toString()) as {
    swaps_24h: number;
    points: unknown[];
  };
  if (Math.abs(swaps_24h - swaps / DAYS) > 1 || points.length !== 97) {
    throw new Error(`${swaps_24h} swaps, ${points.length} points of a pool of ${swaps}`);
  }
}

async function timed(api: Api, target: string): Promise<number> {
  const startedMs = performance.now();
  const { status, body } = await api.handle('GET', target);
  if (status !== 200) throw new Error(`status ${status} of ${target}: ${Buffer.from(body).toString()}`);
  return performance.now() - startedMs;
}
