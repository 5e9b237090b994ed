import { openEmbedded } from '../src/store/embedded.ts';
import { benchFirstTotals, benchGrowth, benchManyTxs } from './api-growth.ts';
import { benchHotRoutes } from './api-hot.ts';
import { benchRoutes } from './api-routes.ts';
import { createApiStore } from './support/api-store.ts';
import { benchFolder } from './support/folders.ts';
import type { Figure } from './support/report.ts';
import { readApiParts } from './support/serve-api.ts';

/** Small sizes show that everything runs; their ratios mean little. */
export interface ApiBenchSize {
  readonly smoke: boolean;
}

/** Figures of the API over an embedded store of some 113,000 txs, nothing else running. */
export async function benchApi({ smoke }: ApiBenchSize): Promise<Figure[]> {
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    const data = await createApiStore(
      stores,
      smoke ? { copies: 2, accounts: 5 } : { copies: 41, accounts: 300 },
    );
    const parts = await readApiParts(stores);
    return [
      { name: 'txs', value: data.txs, unit: '' },
      ...(await benchHotRoutes(parts, smoke ? 0.3 : 3, smoke ? 1 : 3)),
      ...(await benchRoutes(stores, parts, data, smoke ? 10 : 200)),
      ...(await benchManyTxs(stores, parts, data, smoke ? 0.3 : 5)),
      ...(await benchGrowth(stores, parts, data, smoke ? 20 : 500)),
      ...(await benchFirstTotals(stores, data, smoke ? 10_000 : 1_000_000)),
    ];
  } finally {
    await stores.close();
  }
}
