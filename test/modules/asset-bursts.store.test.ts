import { systemClock } from 'strata-kit/clock';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, createApi } from '../../src/api/api.ts';
import { readIdentity } from '../../src/api/identity.ts';
import { openChainState } from '../../src/api/state.ts';
import { MODULE_ROUTES } from '../../src/modules/modules.ts';
import type { Store } from '../../src/store/store.ts';
import { checkAnswer } from '../e2e/support/checked.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';

/** Many assets asked for at the same time, as a page does that shows many. */

interface Asset {
  readonly id: string;
  readonly meta_hash: string;
  readonly kinds: readonly {
    readonly kind_id: number;
    readonly class: string;
    readonly decimals: number;
    readonly bundle: boolean;
  }[];
}

describe('assets that are asked for at the same time', () => {
  let index: IndexedDevnet;
  let ids: readonly string[];
  const sessions: Store[] = [];

  beforeAll(async () => {
    index = await referenceWorld();
    const { assets } = await index.api.get<{ assets: { id: string }[] }>('/v1/assets');
    // other files let the chain grow: more assets than one query or request may name would be other cases
    ids = assets.slice(0, 10).map(({ id }) => id);
    for (let i = 0; i < 4; i++) sessions.push(await index.api.stores.open(`burst ${i}`));
    expect(ids.length).toBeGreaterThan(8);
  }, 120_000);

  /** An API that has answered nothing yet, and the queries that it asks. */
  async function freshApi(): Promise<{ readonly api: Api; readonly asked: string[] }> {
    const asked: string[] = [];
    const state = await openChainState({
      store: await index.api.stores.open(`state of burst ${Math.random()}`),
      clock: systemClock,
      pollMs: 600_000,
      reportError: (error) => expect.unreachable(String(error)),
    });
    const readers = sessions.map(
      (session): Store => ({
        ...session,
        query: (sql, options) => {
          asked.push(sql);
          return session.query(sql, options);
        },
      }),
    );
    const api = createApi({
      readers,
      state,
      chain: readIdentity(new Map(), 'aeva_9111-1', 'aeva', 'aeva'),
      cursorKey: () => new Uint8Array(32),
      openapi: new Uint8Array(0),
      routes: MODULE_ROUTES,
      clock: systemClock,
      reportError: (error) => expect.unreachable(String(error)),
      // nothing is kept: each request reads
      cacheBytes: 1,
    });
    await state.close();
    return { api, asked };
  }

  const get = async (api: Api, target: string): Promise<unknown> => {
    const answer = checkAnswer(target, await api.handle('GET', target));
    expect(answer.status).toBe(200);
    return answer.json;
  };

  it('cost a few queries together, not a few queries each', async () => {
    const { api, asked } = await freshApi();
    const alone = [];
    for (const id of ids) alone.push(await get(api, `/v1/assets/${id}`));
    // the sums of income are known from here on, as they are in a process that has served for a while
    asked.length = 0;
    await get(api, `/v1/assets/${ids[0]}`);
    const ofOne = asked.length;
    asked.length = 0;
    const together = await Promise.all(ids.map((id) => get(api, `/v1/assets/${id}`)));
    expect(together).toEqual(alone);
    expect({ ofOne, ofAll: asked.length }).toEqual({ ofOne: 5, ofAll: 5 });
  });

  it('are told by their documents and kinds in one answer, without those that are unknown', async () => {
    const { api, asked } = await freshApi();
    const whole = await Promise.all(
      ids.map((id) => get(api, `/v1/assets/${id}`) as Promise<{ asset: Asset }>),
    );
    asked.length = 0;
    const unknown = 'e'.repeat(64);
    const told = await get(api, `/v1/x/assets?ids=${[unknown, ...ids, ids[0]].join(',')}`);
    expect(asked).toHaveLength(2);
    expect(told).toEqual({
      assets: whole.map(({ asset }) => ({
        asset_id: asset.id,
        meta_hash: asset.meta_hash,
        kinds: asset.kinds.map(({ kind_id, class: kindClass, decimals, bundle }) => ({
          kind_id,
          class: kindClass,
          decimals,
          bundle,
        })),
      })),
    });
    expect(await get(api, `/v1/x/assets?ids=${unknown}`)).toEqual({ assets: [] });
  });

  it('are refused where there is none, one that is no id, or more than fit into a request', async () => {
    const id = 'e'.repeat(64);
    const many = (count: number) => Array.from({ length: count }, () => id).join(',');
    expect(await index.api.get(`/v1/x/assets?ids=${many(100)}`)).toEqual({ assets: [] });
    for (const query of [
      '',
      '?ids=',
      `?ids=${many(101)}`,
      `?ids=${id},`,
      `?ids=${id.toUpperCase()}`,
      '?ids=x',
    ])
      expect(await index.api.expectError(`/v1/x/assets${query}`, 400)).toMatch(
        /^ids must be 1 to 100 asset ids/,
      );
  });
});
