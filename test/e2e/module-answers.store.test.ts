import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { accountOf, attestationsOf, attesterOf } from './support/devnet/accounts.ts';
import {
  assetOf,
  assetSummary,
  distributionsOf,
  graphOf,
  holdersOf,
  liquidationOf,
} from './support/devnet/assets.ts';
import { covering } from './support/devnet/cover.ts';
import {
  delegationOf,
  encumbranceAnswer,
  rejectionsOf,
  routeOf,
  settlementOf,
  settlementWithTimeline,
  transfersOf,
} from './support/devnet/deals.ts';
import { activityOf, evmAddressOf, type Json, subjectsOf } from './support/devnet/history.ts';
import { type Model, modelOf } from './support/devnet/model.ts';
import { type List, walk, withQuery } from './support/devnet/pages.ts';
import { expectSame } from './support/expected.ts';

/** Answer by answer, every module's routes against what plain code computes from the devnet's state and blocks. */

let index: IndexedDevnet;
let model: Model;
/** Everybody whom the modules' events name, escrows and modules' accounts too. */
let accounts: string[];

beforeAll(async () => {
  index = await referenceWorld();
  // at a head with settlements, encumbrances and delegations that are still open
  await index.goOn(0, hasOpen);
  model = await modelOf(index);
  accounts = [...new Set(model.history.events.flatMap((event) => [...subjectsOf(event).accounts]))].sort();
}, 120_000);
afterAll(() => expect(index.api.reported).toEqual([]));

async function hasOpen(): Promise<boolean> {
  const some = async (module: string, list: string, isOpen: (record: Json) => boolean) =>
    ((await index.query(module, 'Export'))[list] as unknown as Json[]).some(isOpen);
  return (
    (await some('settlement', 'settlements', ({ status }) => status === 'STATUS_PENDING')) &&
    (await some('encumbrance', 'encumbrances', ({ status }) => status === 'STATUS_ACTIVE')) &&
    (await some('delegation', 'delegations', ({ ended }) => ended === 'END_REASON_UNSPECIFIED'))
  );
}

const get = (target: string): Promise<Json> => index.api.get<Json>(target);
const assetIds = (): string[] => model.assets.map(({ id }) => id).sort();
const assetsById = (): Json[] => [...model.assets].sort((a, b) => (a.id < b.id ? -1 : 1));
const all = (list: List): Promise<Json[]> => walk(index.api, list, 100);

describe('assets', () => {
  it('are listed by id', async () => {
    expectSame(
      await all({ target: '/v1/assets', name: 'assets' }),
      assetsById().map((asset) => assetSummary(model, asset)),
      'assets',
    );
  });

  it('are told with kinds, policies, accruals and addresses', async () => {
    for (const asset of await covering(model.assets, (each) => assetOf(model, each)))
      expectSame(await get(`/v1/assets/${asset.id}`), { asset: assetOf(model, asset) }, asset.id);
  });

  it('have a graph of their greatest holders', async () => {
    for (const asset of await covering(model.assets, (each) => graphOf(model, each)))
      expectSame(await get(`/v1/assets/${asset.id}/graph`), graphOf(model, asset), asset.id);
  });

  it('have holders by units, with locks and the encumbrances behind them', async () => {
    let encumbered = 0;
    const kinds = model.assets.flatMap(({ id, kinds: ofAsset }) =>
      ofAsset.map(({ kind_id }: Json) => ({ id, kind_id })),
    );
    for (const { id, kind_id } of await covering(kinds, (each) => holdersOf(model, each.id, each.kind_id))) {
      const expected = holdersOf(model, id, kind_id);
      encumbered += expected.flatMap(({ encumbrances }) => encumbrances).length;
      const target = `/v1/assets/${id}/kinds/${kind_id}/holders`;
      const holders = { asset_id: id, kind_id, holders: expected, next_cursor: null };
      expect(expected.length).toBeLessThanOrEqual(100);
      expectSame(await get(`${target}?limit=100`), holders, target);
    }
    expect(encumbered).toBeGreaterThan(0);
  });

  it('have distributions, newest first', async () => {
    for (const id of await covering(assetIds(), (each) => distributionsOf(model, each))) {
      const target = `/v1/assets/${id}/distributions`;
      expectSame(await all({ target, name: 'distributions' }), distributionsOf(model, id), target);
    }
  });

  it('have a liquidation', async () => {
    for (const asset of await covering(model.assets, (each) => liquidationOf(model, each)))
      expectSame(await get(`/v1/assets/${asset.id}/liquidation`), liquidationOf(model, asset), asset.id);
    expect(model.waterfalls.filter(({ pools }) => pools.length > 0).length).toBeGreaterThan(1);
  });

  it('have a feed of every event that names them', async () => {
    const feedOf = (id: string): Json[] =>
      model.history.events
        .filter((event) => subjectsOf(event).assets.has(id))
        .map(activityOf)
        .reverse();
    for (const id of await covering(assetIds(), (each) => typesIn(feedOf(each)))) {
      const expected = feedOf(id);
      const target = `/v1/assets/${id}/events`;
      expectSame(await all({ target, name: 'events' }), expected, target);
    }
  });
});

describe('accounts', () => {
  it('have positions, locks, deals, income and votes', async () => {
    for (const address of await covering(accounts, (each) => accountOf(model, each)))
      expectSame(await get(`/v1/accounts/${address}`), await accountOf(model, address), address);
  });

  it('have the same page under either form of their address', async () => {
    const address = accounts.find((each) => evmAddressOf(each) !== null) ?? '';
    const hex = evmAddressOf(address) ?? '';
    for (const path of ['', '/attestations', '/events', '/txs']) {
      const expected = await get(`/v1/accounts/${address}${path}`);
      for (const form of [hex, hex.toLowerCase()])
        expectSame(await get(`/v1/accounts/${form}${path}`), expected, path);
    }
  });

  it('have a feed of every event that names them', async () => {
    const feedOf = (address: string): Json[] =>
      model.history.events
        .filter((event) => subjectsOf(event).accounts.has(address))
        .map(activityOf)
        .reverse();
    for (const address of await covering(accounts, (each) => typesIn(feedOf(each)))) {
      const expected = feedOf(address);
      const target = `/v1/accounts/${address}/events`;
      expectSame(await all({ target, name: 'events' }), expected, target);
    }
  });

  it('have attestations, as subject and as attester', async () => {
    const { lastTime } = model.history;
    const answersOf = (address: string): Json => [attestationsOf(model, address), attesterOf(model, address)];
    for (const address of await covering(accounts, answersOf)) {
      const attestations = attestationsOf(model, address);
      const expected = { address, attestations, latest_block_time: lastTime };
      expectSame(await get(`/v1/accounts/${address}/attestations`), expected, address);
      expectSame(await get(`/v1/attesters/${address}`), attesterOf(model, address), address);
    }
    expect(accounts.filter((address) => attesterOf(model, address).types.length > 0).length).toBeGreaterThan(
      1,
    );
  });

  it('take part in the txs whose events name them', async () => {
    for (const address of accounts.slice(0, 6)) {
      const txs = await all({ target: `/v1/accounts/${address}/txs`, name: 'txs' });
      const hashes = new Set(txs.map(({ hash }) => hash));
      const expected = model.history.events
        .filter((event) => event.txHash !== null && subjectsOf(event).accounts.has(address))
        .map(({ txHash }) => txHash);
      expect(
        expected.filter((hash) => !hashes.has(hash)),
        address,
      ).toEqual([]);
    }
  });
});

describe('settlements', () => {
  const newest = (): Json[] =>
    [...model.settlements]
      .sort((a, b) => Number(b.id) - Number(a.id))
      .map((settlement) => settlementOf(model, settlement));

  it('are listed newest first, by party and by status', async () => {
    const list = newest();
    const parties = [...new Set(list.flatMap(({ proposer, counterparty }) => [proposer, counterparty]))];
    const statuses = ['STATUS_PENDING', 'STATUS_SETTLED', 'STATUS_CANCELLED', 'STATUS_EXPIRED'];
    for (const party of [undefined, ...parties.slice(0, 3), accounts.at(-1)]) {
      for (const status of [undefined, ...statuses]) {
        const expected = list.filter(
          (each) =>
            (party === undefined || each.proposer === party || each.counterparty === party) &&
            (status === undefined || each.status === status),
        );
        const query = {
          ...(party === undefined ? {} : { party }),
          ...(status === undefined ? {} : { status }),
        };
        const target = withQuery('/v1/settlements', query);
        expectSame(await all({ target, name: 'settlements' }), expected, target);
        if (status === undefined || party !== parties[0]) continue;
        const short = status.replace('STATUS_', '').toLowerCase();
        const shortly = withQuery('/v1/settlements', { ...query, status: short });
        expectSame(await all({ target: shortly, name: 'settlements' }), expected, shortly);
      }
    }
    for (const status of statuses)
      expect(
        list.some((each) => each.status === status),
        status,
      ).toBe(true);
  });

  it('are told with their timeline', async () => {
    for (const settlement of await covering(model.settlements, (each) =>
      settlementWithTimeline(model, each),
    )) {
      expectSame(
        await get(`/v1/settlements/${settlement.id}`),
        { settlement: settlementWithTimeline(model, settlement) },
        settlement.id,
      );
    }
  });
});

describe('encumbrances and delegations', () => {
  it('are told with what became of them', async () => {
    for (const encumbrance of await covering(model.encumbrances, (each) => encumbranceAnswer(model, each))) {
      const target = `/v1/encumbrances/${encumbrance.id}`;
      expectSame(await get(target), encumbranceAnswer(model, encumbrance), target);
    }
    for (const delegation of await covering(model.delegations, (each) => delegationOf(model, each))) {
      const target = `/v1/delegations/${delegation.id}`;
      expectSame(await get(target), { delegation: delegationOf(model, delegation) }, target);
    }
  });
});

describe('the bridge', () => {
  it('has routes with their counters', async () => {
    const routes = [...model.routes]
      .sort((a, b) => (a.route_id < b.route_id ? -1 : 1))
      .map((route) => routeOf(model, route));
    expectSame(await get('/v1/bridge/routes'), { routes }, 'routes');
    for (const route of await covering(routes, (each) => each)) {
      const target = `/v1/bridge/routes/${encodeURIComponent(route.route_id)}`;
      expectSame(await get(target), { route }, target);
    }
    expect(routes.some(({ income_swept }) => Object.keys(income_swept).length > 0)).toBe(true);
  });

  it('has transfers, newest first, and the attempts that were refused', async () => {
    const list = await all({ target: '/v1/bridge/transfers', name: 'transfers' });
    const happened = transfersOf(model);
    expectSame(
      list.filter(({ status }) => status !== 'rejected'),
      happened,
      'transfers',
    );
    const rejected = list.filter(({ status }) => status === 'rejected');
    const refused = await rejectionsOf(model, get);
    expect(refused.length).toBeGreaterThan(2);
    const told = Object.keys(refused[0]);
    expect(rejected.map((transfer) => pick(transfer, told))).toEqual(refused);
    for (const { route_id, asset_id, kind_id, bundle } of rejected) {
      const route = model.routes.find((each) => each.route_id === route_id);
      // the configuration of a route never changes; one that is made later is not known yet
      const ofRoute = [route?.asset_id ?? '', route?.kind_id ?? 0, route?.bundle ?? false];
      expect([ofRoute, ['', 0, false]]).toContainEqual([asset_id, kind_id, bundle]);
    }
    const places = list.map(({ height, tx_index, event_index }) => [height, tx_index, event_index]);
    expect(places).toEqual(places.toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2]));
    const filters: [name: string, field: (transfer: Json) => readonly string[]][] = [
      ['route', ({ route_id }) => [route_id]],
      ['status', ({ status }) => [status]],
      ['account', ({ sender, recipient }) => [sender, recipient]],
      ['message_id', ({ message_id }) => [message_id].filter((id) => id !== '')],
    ];
    for (const [name, field] of filters) {
      for (const value of [...new Set(list.flatMap(field))].slice(0, 5)) {
        const target = withQuery('/v1/bridge/transfers', { [name]: value });
        const expected = list.filter((transfer) => field(transfer).includes(value));
        expectSame(await all({ target, name: 'transfers' }), expected, target);
      }
    }
  });
});

/** What kinds of events a feed has. */
function typesIn(feed: readonly Json[]): Json {
  return {
    types: Object.fromEntries(feed.map(({ type }) => [type.replace(/\W/g, '_').toLowerCase(), true])),
  };
}

function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

describe('lookup', () => {
  const found = async (query: string): Promise<Json[]> => (await get(`/v1/lookup/${query}`)).candidates;

  it('finds assets, and the tokens of their kinds and bundles', async () => {
    for (const id of assetIds().slice(0, 5)) expect(await found(id)).toEqual([{ type: 'asset', id }]);
    const all = [...model.tokens].flatMap(([id, tokens]) => tokens.map((token) => ({ id, ...token })));
    const few = (isBundle: boolean): Json[] => all.filter(({ bundle }) => bundle === isBundle).slice(0, 5);
    expect(Math.min(few(true).length, few(false).length)).toBeGreaterThan(1);
    for (const { id, bundle, kind_id, address } of [...few(true), ...few(false)]) {
      const expected = bundle ? { type: 'asset', id, bundle: true } : { type: 'asset', id, kind_id };
      expect(await found(address), address).toEqual([expected]);
      expect(await found(address.toLowerCase()), address).toEqual([expected]);
    }
  });

  it('finds blocks, settlements and encumbrances by number, in this order', async () => {
    const has = (list: readonly Json[], id: number): boolean => list.some((each) => Number(each.id) === id);
    for (const number of [
      0,
      1,
      2,
      7,
      model.encumbrances.length,
      model.settlements.length,
      index.height,
      index.height + 1,
    ]) {
      const id = String(number);
      expect(await found(id), id).toEqual([
        ...(number >= 1 && number <= index.height ? [{ type: 'block', id }] : []),
        ...(has(model.settlements, number) ? [{ type: 'settlement', id }] : []),
        ...(has(model.encumbrances, number) ? [{ type: 'encumbrance', id }] : []),
      ]);
    }
  });

  it('knows whom events name', async () => {
    for (const address of accounts.slice(0, 10)) {
      const evm_address = evmAddressOf(address);
      expect(await found(address)).toEqual([{ type: 'account', id: address, evm_address, known: true }]);
    }
  });
});

describe('everything else', () => {
  it('has no reconciliation before the first', async () => {
    const nothing = { checks: [], tok20_registry: [], exports: [], drift: [] };
    expect(await get('/v1/invariants')).toEqual(nothing);
    for (const asset of assetIds().slice(0, 3))
      expect(await get(`/v1/invariants?asset=${asset}`)).toEqual(nothing);
  });

  it('has no drift', async () => {
    expect(await get('/v1/status')).toMatchObject({ indexed_height: index.height, drift_total: 0 });
  });

  it('says of the modules’ events that they are applied', async () => {
    const { txs } = await get('/v1/txs?limit=100');
    const events = txs.flatMap(({ code, events: list }: Json) =>
      list.map((event: Json) => ({ ...event, code })),
    );
    const typed = events.filter(({ type }: Json) => type.startsWith('aeva.'));
    expect(typed.length).toBeGreaterThan(20);
    for (const { code, applied } of typed) expect(applied).toBe(code === 0);
  });
});
