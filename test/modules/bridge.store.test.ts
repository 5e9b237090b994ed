import { parseTimeNs } from 'strata-kit/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeTexts } from '../../src/modules/bridge/routes-read.ts';
import type { Store } from '../../src/store/store.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { seededRandom } from '../support/random.ts';
import { referenceWorld } from '../support/worlds.ts';
import { type ChainEvent, chainEvents } from './support/chain-events.ts';
import { snapshotAt } from './support/snapshot.ts';
import { allTxs, type ToldEvent, type ToldTx } from './support/told.ts';

/** The bridge's answers beside the reference chain's own state and what its txs tell. */

const PATH = '/v1/bridge/transfers';
const REASON = /^failed to execute message; message index: (\d+): /;

interface BridgeRoute {
  readonly [field: string]: unknown;
  readonly route_id: string;
  readonly direction: string;
  readonly outbound: string;
  readonly inbound: string;
  readonly asset_id: string;
}

interface BridgeTransfer {
  readonly height: number;
  readonly tx_index: number;
  readonly event_index: number;
  readonly route_id: string;
  readonly status: string;
  readonly sender: string;
  readonly recipient: string;
  readonly message_id: string;
  readonly [field: string]: unknown;
}

interface Page {
  readonly transfers: BridgeTransfer[];
  readonly next_cursor: string | null;
}

let index: IndexedDevnet;
/** The chain's height when these tests began. */
let head: number;
let store: Store;
let txs: ToldTx[];
/** The bridge's events, sweeps of every 50th block included. */
let told: (ToldEvent & { readonly height: number })[];
let routes: BridgeRoute[];
beforeAll(async () => {
  index = await referenceWorld();
  head = index.height;
  store = await index.api.stores.open('test');
  txs = await allTxs(index.api);
  const ofTxs = txs.flatMap(({ code, height, events }) =>
    code === 0 ? events.map((event) => ({ ...event, height })) : [],
  );
  const ofBlocks = await Promise.all(
    sweptHeights().map(async (height) => {
      const { events } = await index.api.get<{ events: ToldEvent[] }>(`/v1/blocks/${height}`);
      return events.map((event) => ({ ...event, height }));
    }),
  );
  told = [...ofTxs, ...ofBlocks.flat()].filter(({ type }) => type.startsWith('aeva.bridge.v1.'));
  routes = (await index.api.get<{ routes: BridgeRoute[] }>('/v1/bridge/routes')).routes;
}, 120_000);
afterAll(async () => {
  await store?.close();
});

/** The chain sweeps what escrows have earned at every 50th block. */
function sweptHeights(): number[] {
  return Array.from({ length: Math.floor(head / 50) }, (_, i) => (i + 1) * 50);
}

/** What the chain says of its routes as of a height, in the API's fields as far as the chain has them. */
async function chainRoutes(height: number): Promise<Record<string, unknown>[]> {
  const { routes: all } = await index.query('bridge', 'Routes', {}, height);
  return (all as Record<string, unknown>[])
    .sort((a, b) => (String(a.route_id) < String(b.route_id) ? -1 : 1))
    .map(({ outbound_window: _, inbound_window: __, ...route }) => {
      const [outbound, inbound] = [BigInt(String(route.outbound)), BigInt(String(route.inbound))];
      const isSynthetic = route.direction === 'DIRECTION_SYNTHETIC_IN';
      return {
        ...route,
        window_seconds: Number(route.window_seconds),
        kind_id: route.kind_id ?? 0,
        escrow_address: route.direction === 'DIRECTION_RIGHT_OUT' ? route.escrow_address : '',
        outstanding: String(isSynthetic ? inbound - outbound : outbound - inbound),
      };
    });
}

/** The fields that the chain's state has not: they follow from its events. */
function toldOf(routeId: string, height: number): Record<string, unknown> {
  const events = told.filter((event) => event.height <= height && event.decoded?.route_id === routeId);
  const swept: Record<string, string> = {};
  for (const { type, decoded } of events) {
    if (type !== 'aeva.bridge.v1.EventEscrowIncomeSwept') continue;
    const denom = String(decoded?.denom);
    swept[denom] = String(BigInt(swept[denom] ?? 0) + BigInt(String(decoded?.amount)));
  }
  return {
    created_height: Math.min(...events.map((event) => event.height)),
    updated_height: Math.max(...events.map((event) => event.height)),
    transfers: events.filter(({ type }) => type.startsWith('aeva.bridge.v1.EventTransfer')).length,
    income_swept: swept,
  };
}

describe('routes', () => {
  it('are those of the chain, at the head and at any height before', async () => {
    expect(new Set(routes.map(({ direction }) => direction)).size).toBe(3);
    for (const height of [head, 23, 57, 101]) {
      const { timeNs } = index.devnet.chain.block(height)?.header ?? { timeNs: 0n };
      const snapshot = snapshotAt(height, timeNs);
      const texts = await routeTexts({ snapshot, query: (sql) => store.query(sql) }, '1');
      const found = texts.map((text) => JSON.parse(text) as BridgeRoute);
      if (height === head) expect(found).toEqual(routes);
      const own = found.map(
        ({ created_height, updated_height, transfers, income_swept, i8, ...route }) => route,
      );
      expect(own, `routes at ${height}`).toEqual(await chainRoutes(height));
      for (const route of found)
        expect(route, `${route.route_id} at ${height}`).toMatchObject(toldOf(route.route_id, height));
    }
  });

  it('have what their escrows earned', () => {
    expect(routes.some(({ income_swept }) => Object.keys(income_swept as object).length > 0)).toBe(true);
  });

  it('answer alone as in the list, and 404 where there is none', async () => {
    for (const route of routes) {
      const alone = await index.api.get<{ route: BridgeRoute }>(
        `/v1/bridge/routes/${encodeURIComponent(route.route_id)}`,
      );
      expect(alone.route).toEqual(route);
    }
    await index.api.expectError('/v1/bridge/routes/nowhere', 404);
    await index.api.expectError(`/v1/bridge/routes/${encodeURIComponent("a' OR '1'='1")}`, 404);
  });
});

const newestFirst = (a: BridgeTransfer, b: BridgeTransfer): number =>
  b.height - a.height || b.tx_index - a.tx_index || b.event_index - a.event_index;

/** Every transfer and rejected attempt, out of what the txs themselves tell. */
function expectedTransfers(from: readonly ToldTx[], known = routes): BridgeTransfer[] {
  const byId = new Map(known.map((route) => [route.route_id, route]));
  return from.flatMap((tx) => transfersOf(tx, byId)).sort(newestFirst);
}

function transfersOf(tx: ToldTx, byId: ReadonlyMap<string, BridgeRoute>): BridgeTransfer[] {
  const at = {
    height: tx.height,
    tx_index: tx.tx_index,
    tx_hash: tx.hash,
    // as the answer's JSON has it once it was parsed
    block_time_ns: Number(parseTimeNs(tx.block_time)),
  };
  if (tx.code === 0) {
    return tx.events.flatMap(({ type, event_index, decoded }) => {
      const isOut = type === 'aeva.bridge.v1.EventTransferOut';
      if (!isOut && type !== 'aeva.bridge.v1.EventTransferIn') return [];
      const { route_id, sender, recipient, amount, message_id, asset_id, kind_id, bundle } = decoded as never;
      const moved = {
        route_id,
        sender,
        recipient,
        amount,
        message_id,
        asset_id,
        kind_id: kind_id ?? 0,
        bundle,
      };
      const [direction, status] = isOut ? ['out', 'in_flight'] : ['in', 'completed'];
      return [{ ...at, ...moved, event_index, direction, status, reason: '' }];
    });
  }
  const failed = tx.msgs[Number(REASON.exec(tx.raw_log ?? '')?.[1])];
  if (tx.codespace !== 'bridge' || failed?.['@type'] !== '/aeva.bridge.v1.MsgTransferOut') return [];
  const { route_id, sender, recipient, amount } = failed as never;
  const route = byId.get(route_id);
  return [
    {
      ...at,
      route_id,
      sender,
      recipient,
      amount,
      event_index: -1,
      direction: 'out',
      status: 'rejected',
      message_id: '',
      reason: `bridge/${tx.code}`,
      asset_id: route?.asset_id ?? '',
      kind_id: route?.kind_id ?? 0,
      bundle: route?.bundle ?? false,
    },
  ];
}

async function walk(query: string, limit: number, first?: Page): Promise<BridgeTransfer[]> {
  let page = first ?? (await index.api.get<Page>(`${PATH}?limit=${limit}${query}`));
  const found = [...page.transfers];
  while (page.next_cursor !== null) {
    page = await index.api.get<Page>(`${PATH}?limit=${limit}${query}&cursor=${page.next_cursor}`);
    found.push(...page.transfers);
  }
  return found;
}

describe('transfers', () => {
  it('are every transfer and every rejected attempt of the chain, newest first', async () => {
    const expected = expectedTransfers(txs);
    for (const status of ['in_flight', 'completed', 'rejected'])
      expect(expected.filter((each) => each.status === status).length, status).toBeGreaterThan(1);
    expect(new Set(expected.map(({ reason }) => reason))).toContain('bridge/5');
    const third = Math.ceil(expected.length / 3);
    for (const limit of [100, third, third - 1])
      expect(await walk('', limit), `by ${limit}`).toEqual(expected);
  });

  it('are filtered by route, status, account and message, alone and together', async () => {
    const all = expectedTransfers(txs);
    const random = seededRandom(5);
    const some = <T>(list: readonly T[]): T => list[random.between(0, list.length - 1)] as T;
    const cases: Record<string, string>[] = [
      ...['in_flight', 'completed', 'rejected'].map((status) => ({ status })),
      ...routes.map(({ route_id }) => ({ route: route_id })),
      { route: 'nowhere' },
      { message_id: `0x${'00'.repeat(32)}` },
    ];
    for (let i = 0; i < 25; i++) {
      const of = some(all);
      const possible = {
        route: of.route_id,
        status: some([of.status, 'in_flight']),
        account: some([of.sender, of.recipient]),
        message_id: of.message_id,
      };
      const kept = Object.entries(possible).filter(() => random.between(0, 1) === 1);
      cases.push(Object.fromEntries(kept));
    }
    let isPartial = 0;
    for (const filter of cases) {
      const expected = all.filter(
        (transfer) =>
          (filter.route === undefined || transfer.route_id === filter.route) &&
          (filter.status === undefined || transfer.status === filter.status) &&
          (filter.account === undefined || [transfer.sender, transfer.recipient].includes(filter.account)) &&
          (filter.message_id === undefined || transfer.message_id === filter.message_id),
      );
      if (expected.length > 1 && expected.length < all.length) isPartial++;
      const query = Object.entries(filter).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
      expect(await walk(query.join(''), Math.max(1, expected.length - 1)), JSON.stringify(filter)).toEqual(
        expected,
      );
    }
    expect(isPartial).toBeGreaterThan(8);
  });

  it('know an account in either form, and a remote one in either case', async () => {
    const out = expectedTransfers(txs).find(
      ({ direction, sender }) => direction === 'out' && sender.length < 50,
    );
    const { evm_address: evm } = (
      await index.api.get<{ candidates: { evm_address: string }[] }>(`/v1/lookup/${out?.sender}`)
    ).candidates[0] ?? { evm_address: '' };
    const ofSender = await walk(`&account=${out?.sender}`, 100);
    expect(ofSender.length).toBeGreaterThan(0);
    expect(await walk(`&account=${evm}`, 100)).toEqual(ofSender);
    const remote = out?.recipient ?? '';
    const ofRemote = await walk(`&account=${remote}`, 100);
    expect(ofRemote).toContainEqual(out);
    expect(await walk(`&account=0X${remote.slice(2).toUpperCase()}`, 100)).toEqual(ofRemote);
  });

  it('refuse what does not parse', async () => {
    const { next_cursor: cursor } = await index.api.get<Page>(`${PATH}?limit=1`);
    for (const query of [
      'limit=0',
      'limit=101',
      'status=settled',
      'status=',
      'account=nobody',
      'account=',
      `account=0x${'ab'.repeat(31)}`,
      `account=${index.devnet.app.parameters.hrp}1qqqq`,
      'cursor=x',
      `cursor=${cursor}x`,
      `status=rejected&cursor=${cursor}`,
      `route=&cursor=${cursor}`,
    ])
      await index.api.expectError(`${PATH}?${query}`, 400);
  });

  it('are walked whole while blocks arrive, and then begin with the new ones', async () => {
    const before = expectedTransfers(txs);
    const first = await index.api.get<Page>(`${PATH}?limit=20`);
    const isNewTransfer = ({ height, type }: ChainEvent) =>
      height > head && type.startsWith('bridge.v1.EventTransfer');
    await index.goOn(3, () => chainEvents(index, 'bridge').some(isNewTransfer));
    expect(await walk('', 20, first)).toEqual(before);
    // a rejected transfer of the new blocks may name a route that they created
    const { routes: later } = await index.api.get<{ routes: BridgeRoute[] }>('/v1/bridge/routes');
    const now = expectedTransfers(await allTxs(index.api), later);
    expect(now.length).toBeGreaterThan(before.length);
    expect(await walk('', 50)).toEqual(now);
    const own = later.map(
      ({ created_height, updated_height, transfers, income_swept, i8, ...route }) => route,
    );
    expect(own).toEqual(await chainRoutes(index.height));
  });
});
