import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WaterfallJson, waterfallOf } from '../../src/modules/waterfall/liquidation-read.ts';
import type { Store } from '../../src/store/store.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { snapshotAt } from './support/snapshot.ts';

/** Waterfalls beside the reference chain's own state. */

const BLOCKS = 150;

interface ChainWaterfall {
  readonly asset_id: string;
  readonly tiers: readonly { readonly tier: number; readonly kind_id: number; readonly cap: string }[];
  readonly paid: readonly {
    readonly tier: number;
    readonly denom: string;
    readonly cumulative_paid: string;
  }[];
  readonly liquidation?: {
    readonly [field: string]: unknown;
    readonly closed_height: string;
    readonly began_height: string;
  };
  readonly pools: readonly { readonly kind_id: number }[];
}

let index: IndexedDevnet;
let store: Store;
beforeAll(async () => {
  index = await openDevnetIndex({ seed: 3, blocks: BLOCKS });
  store = await index.api.stores.open('test');
}, 120_000);
afterAll(async () => {
  await store?.close();
  await index?.close();
});

async function chainWaterfalls(height: number): Promise<ChainWaterfall[]> {
  return (await index.query('waterfall', 'Export', {}, height)).waterfalls as unknown as ChainWaterfall[];
}

/** The chain's record in the API's shape. */
function expectedOf({ tiers, paid, liquidation, pools }: ChainWaterfall): object {
  return {
    waterfall: tiers.map((tier) => ({
      ...tier,
      cumulative_paid: Object.fromEntries(
        paid.filter((each) => each.tier === tier.tier).map((each) => [each.denom, each.cumulative_paid]),
      ),
    })),
    liquidation:
      liquidation === undefined
        ? null
        : {
            ...liquidation,
            began_height: Number(liquidation.began_height),
            closed_height: Number(liquidation.closed_height) || null,
          },
    redemption_pools: pools.toSorted((a, b) => a.kind_id - b.kind_id),
  };
}

function stageOf({ waterfall, liquidation, redemption_pools: pools }: WaterfallJson): string {
  if (liquidation === null) return waterfall.length === 0 ? 'none' : 'set';
  if (liquidation.closed_height !== null) return 'closed';
  return pools.length === 0 ? 'begun' : 'paid';
}

describe('liquidations', () => {
  it('are those of the chain', async () => {
    const all = await chainWaterfalls(BLOCKS);
    const statuses = await index.query('asset', 'Export');
    const assets = statuses.assets as unknown as { id: string; status: string }[];
    for (const waterfall of all) {
      const { asset_id } = waterfall;
      expect(await index.api.get(`/v1/assets/${asset_id}/liquidation`), asset_id).toEqual({
        asset_id,
        status: assets.find(({ id }) => id === asset_id)?.status,
        ...expectedOf(waterfall),
      });
    }
    expect(all.length).toBeGreaterThan(5);
  });

  it('are those of the chain at any height before', async () => {
    const stages = new Set<string>();
    for (let height = 7; height <= BLOCKS; height += 13) {
      const snapshot = snapshotAt(height);
      const known = await chainWaterfalls(height);
      for (const { asset_id } of await chainWaterfalls(BLOCKS)) {
        const found = await waterfallOf({ snapshot, query: (sql) => store.query(sql) }, asset_id);
        const waterfall = known.find((each) => each.asset_id === asset_id);
        const nothing = { waterfall: [], liquidation: null, redemption_pools: [] };
        expect(found, `${asset_id} at ${height}`).toEqual(
          waterfall === undefined ? nothing : expectedOf(waterfall),
        );
        stages.add(stageOf(found));
      }
    }
    expect([...stages].sort()).toEqual(['begun', 'closed', 'none', 'paid', 'set']);
  });

  it('are empty for an asset without a waterfall, 404 for no asset, 400 for no asset id', async () => {
    const known = new Set((await chainWaterfalls(BLOCKS)).map(({ asset_id }) => asset_id));
    const { assets } = (await index.query('asset', 'Export')) as unknown as {
      assets: { id: string; status: string }[];
    };
    const without = assets.find(({ id }) => !known.has(id));
    expect(await index.api.get(`/v1/assets/${without?.id}/liquidation`)).toEqual({
      asset_id: without?.id,
      status: without?.status,
      waterfall: [],
      liquidation: null,
      redemption_pools: [],
    });
    await index.api.expectError(`/v1/assets/${'ab'.repeat(32)}/liquidation`, 404);
    for (const id of ['x', 'AB'.repeat(32), 'ab'.repeat(31)])
      await index.api.expectError(`/v1/assets/${id}/liquidation`, 400);
  });
});
