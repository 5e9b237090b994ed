import { encodeBech32 } from 'strata-kit/address';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULE_ROUTES } from '../../src/modules/modules.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { HRP } from '../support/oracle.ts';
import { routeOf } from './support/checked.ts';
import type { Json } from './support/devnet/history.ts';
import { openRecordedApi, type RecordedApi } from './support/recorded-api.ts';

/**
 * Chains of which no module's state is known: every asset route answers as on a chain without assets (answers.md,
 * "Conventions"): lists without an asset in the path are empty, single records and lists under an asset are 404.
 */

const ASSET = 'ab'.repeat(32);
const HEAD = 60;

interface Wanted {
  /** Of the store's accounts. */
  readonly empty: (account: string) => Readonly<Record<string, Json>>;
  readonly absent: readonly string[];
}

const WANTED: Wanted = {
  empty: (account) => ({
    '/v1/assets': { assets: [], next_cursor: null },
    [`/v1/accounts/${account}`]: {
      address: account,
      assets: [],
      locks: [],
      pending_settlements: [],
      attestations: [],
      claimable: [],
      delegations: [],
      voting_power: [],
    },
    [`/v1/accounts/${account}/attestations`]: { address: account, attestations: [] },
    [`/v1/accounts/${account}/events`]: { address: account, events: [], next_cursor: null },
    [`/v1/attesters/${account}`]: { attester: account, types: [] },
    '/v1/settlements': { settlements: [], next_cursor: null },
    [`/v1/settlements?party=${account}&status=settled`]: { settlements: [], next_cursor: null },
    // what the chain tells is counted whether assets are known or not
    '/v1/stats/network': { indexed_height: HEAD, totals: { loans_repaid: 0 } },
    '/v1/bridge/routes': { routes: [] },
    '/v1/bridge/transfers': { transfers: [], next_cursor: null },
    [`/v1/bridge/transfers?account=${account}&status=in_flight`]: { transfers: [], next_cursor: null },
    '/v1/invariants': { checks: [], tok20_registry: [], exports: [], drift: [] },
    [`/v1/invariants?asset=${ASSET}`]: { checks: [], tok20_registry: [], exports: [], drift: [] },
    [`/v1/quests/${account}`]: { address: account, completed: 0, total: 10 },
    '/v1/quests/leaderboard': { quests: 10 },
    [`/v1/x/assets?ids=${ASSET}`]: { assets: [] },
    '/v1/x/gov/proposals': { proposals: [], next_cursor: null },
    '/v1/x/gov/proposals/1/votes': { votes: [], next_cursor: null },
    [`/v1/x/gov/accounts/${account}/votes`]: { votes: [], next_cursor: null },
    [`/v1/lookup/${ASSET}`]: { query: ASSET, candidates: [] },
    '/v1/lookup/999999': { query: '999999', candidates: [] },
  }),
  absent: [
    `/v1/assets/${ASSET}`,
    `/v1/assets/${ASSET}/graph`,
    `/v1/assets/${ASSET}/kinds/0/holders`,
    `/v1/assets/${ASSET}/distributions`,
    `/v1/assets/${ASSET}/liquidation`,
    `/v1/assets/${ASSET}/events`,
    `/v1/prices/${ASSET}`,
    `/v1/x/prices/${ASSET}/mean`,
    '/v1/settlements/1',
    '/v1/encumbrances/1',
    '/v1/x/gov/proposals/1',
    '/v1/delegations/1',
    '/v1/bridge/routes/route-1',
  ],
};

function expectations(open: () => { readonly api: RecordedApi; readonly account: string }): void {
  it('answers lists and accounts with nothing in them', async () => {
    const { api, account } = open();
    for (const [target, expected] of Object.entries(WANTED.empty(account)))
      expect(await api.get<Json>(target), target).toMatchObject(expected);
  });

  it('answers 404 for records, and for lists under an asset', async () => {
    const { api } = open();
    const others: string[] = [];
    for (const target of WANTED.absent) {
      const { status, json } = await api.ask(target);
      if (status !== 404 || (json as Json).error === 'no such path') others.push(`${status} ${target}`);
    }
    expect(others).toEqual([]);
  });

  it('answers 400 for what does not parse all the same', async () => {
    const { api } = open();
    for (const target of [
      '/v1/assets/x',
      '/v1/settlements?status=x',
      '/v1/assets?limit=0',
      '/v1/delegations/x',
      '/v1/quests/x',
      '/v1/quests/leaderboard?limit=101',
    ])
      await api.expectError(target, 400);
  });

  it('reports nothing and has no drift', async () => {
    const { api } = open();
    expect(api.reported).toEqual([]);
    expect(await api.get('/v1/status')).toMatchObject({ indexed_height: HEAD, drift_total: 0 });
  });
}

it('every module route is asked', () => {
  const asked = [...Object.keys(WANTED.empty(encodeBech32(HRP, new Uint8Array(20)))), ...WANTED.absent];
  const routes = new Set(asked.map(routeOf));
  expect(MODULE_ROUTES.map(({ path }) => path).filter((path) => !routes.has(path))).toEqual([]);
});

describe.each([
  ['the recorded chain, which has no asset modules', undefined],
  ['the recorded chain from its fifth block on', 5],
])('%s', (_name, from) => {
  let api: RecordedApi;
  beforeAll(async () => {
    api = await openRecordedApi(HEAD, systemClock, undefined, from);
  });
  afterAll(() => api?.close());
  expectations(() => ({ api, account: encodeBech32(HRP, new Uint8Array(20).fill(3)) }));
});

describe('the reference chain from its twentieth block on', () => {
  let node: DevnetNode;
  let api: RecordedApi;
  let account: string;
  beforeAll(async () => {
    node = await startDevnetNode({ seed: 3, blocks: HEAD });
    api = await openRecordedApi(HEAD, systemClock, node.source, 20);
    const { positions } = (await node.query('rights', 'Export')) as Json;
    account = positions[0].holder;
  });
  afterAll(async () => {
    await api?.close();
    await node?.close();
  });
  expectations(() => ({ api, account }));

  it('knows neither its assets nor their deals', async () => {
    const { assets } = (await node.query('asset', 'Export')) as Json;
    for (const { id } of assets) {
      await api.expectError(`/v1/assets/${id}`, 404);
      expect((await api.get<Json>(`/v1/lookup/${id}`)).candidates).toEqual([]);
    }
  });

  it('counts what it was told all the same', async () => {
    const { totals } = await api.get<Json>('/v1/stats/network');
    const { txs } = await api.get<Json>('/v1/txs?limit=100&method=/aeva.asset.v1.MsgCreateAsset');
    const created = txs.filter(({ code }: Json) => code === 0);
    expect(created.length).toBeGreaterThan(0);
    expect(totals.assets).toBe(created.length);
  });

  it('ranks nobody', async () => {
    expect((await api.get<Json>('/v1/quests/leaderboard')).rows).toEqual([]);
  });

  it('says of no event that it is applied', async () => {
    const { txs } = await api.get<Json>('/v1/txs?limit=100');
    const events = txs.flatMap((tx: Json) => tx.events);
    expect(events.some(({ type }: Json) => type.startsWith('aeva.'))).toBe(true);
    expect(events.filter(({ applied }: Json) => applied)).toEqual([]);
  });
});
