import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WaterfallJson, waterfallOf } from '../../src/modules/waterfall/liquidation-read.ts';
import type { Store } from '../../src/store/store.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { snapshotAt } from './support/snapshot.ts';

/** Waterfalls beside the reference chain's own state. */

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
let head: number;
let store: Store;
beforeAll(async () => {
  index = await referenceWorld();
  head = index.height;
  store = await index.api.stores.open('test');
}, 120_000);
afterAll(async () => {
  await store?.close();
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
    const all = await chainWaterfalls(head);
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
    const nothing = { waterfall: [], liquidation: null, redemption_pools: [] };
    const now = (await chainWaterfalls(head)).slice(0, 8);
    for (const { asset_id } of now) {
      let before: object = nothing;
      for (let height = 1; height <= head; height++) {
        const found = (await chainWaterfalls(height)).find((each) => each.asset_id === asset_id);
        const expected = found === undefined ? nothing : expectedOf(found);
        if (isDeepStrictEqual(expected, before)) continue;
        for (const [at, of] of [[height - 1, before] as const, [height, expected] as const]) {
          const reading = { snapshot: snapshotAt(at), query: (sql: string) => store.query(sql) };
          const told = await waterfallOf(reading, asset_id);
          expect(told, `${asset_id} at ${at}`).toEqual(of);
          stages.add(stageOf(told));
        }
        before = expected;
      }
    }
    expect([...stages].sort()).toEqual(['begun', 'closed', 'none', 'paid', 'set']);
  });

  it('are empty for an asset without a waterfall, 404 for no asset, 400 for no asset id', async () => {
    const known = new Set((await chainWaterfalls(head)).map(({ asset_id }) => asset_id));
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
