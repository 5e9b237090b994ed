import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeBech32 } from 'strata-kit/address';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, createApi } from '../../src/api/api.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { readParameters } from '../../src/core/parameter-facts.ts';
import { SHARED_TABLES } from '../../src/core/tables.ts';
import { MODULE_ROUTES } from '../../src/modules/modules.ts';
import { validateAnswer } from '../support/contract.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { fixedState, TEST_CURSOR_KEY } from '../support/fixed-state.ts';
import { DERIVATIONS, GENERATION, openDeriver } from './support/derive.ts';
import { blockOf, type ToldEvent, tellAtEnd } from './support/hand-written.ts';
import { ASSET, account, created, distributed, issued, moved, pledged } from './support/income.ts';

/** Records that a block makes by itself (governance), and amounts below 0, as answers have them. */

const [ANN, BEN, CAY] = [account(0xa1), account(0xb2), account(0xc3)];
const byBlock = (...events: readonly ToldEvent[]): ToldEvent[] =>
  events.map(({ type, fields }) => tellAtEnd(type, fields));

const proposed = tellAtEnd('settlement.v1.EventProposed', {
  ...{ id: '1', proposer: ANN, counterparty: BEN, expiry: '2031-01-01T00:00:00Z', memo_hash: '' },
  legs: [{ direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: { denom: 'uusd', amount: '7' } }],
});
const settled = tellAtEnd('settlement.v1.EventSettled', {
  ...{ id: '1', proposer: ANN, counterparty: BEN, asset_ids: [] },
});
const delegated = tellAtEnd('delegation.v1.EventDelegated', {
  ...{ id: '1', holder: ANN, asset_id: ASSET, kind_id: 0, units: '1', delegate: BEN },
  ...{ until: '2031-01-01T00:00:00Z', purposes: ['PURPOSE_VOTE'], revocable: true },
});
const route = tellAtEnd('bridge.v1.EventRouteCreated', {
  ...{ route_id: 'r', remote_domain: 1, remote_contract: `0x${'ab'.repeat(32)}`, local_denom: 'uusd' },
  ...{ direction: 'DIRECTION_NATIVE_OUT', status: 'ROUTE_STATUS_ACTIVE', window_seconds: '0' },
  ...{ outbound_limit: '0', inbound_limit: '0', warp_token_id: '', display: 'USD', exponent: 6 },
  ...{ asset_id: '', kind_id: null, bundle: false },
  escrow_address: encodeBech32('aeva', new Uint8Array(32).fill(7)),
});
const sent = tellAtEnd('bridge.v1.EventTransferOut', {
  ...{ route_id: 'r', sender: ANN, recipient: `0x${'cd'.repeat(32)}`, amount: '5', message_id: '0x01' },
  ...{ asset_id: '', kind_id: null, bundle: false, outbound_after: '5', outbound_used_after: '0' },
});

const BLOCKS = [
  blockOf(1, ...byBlock(created(), issued(ANN, 3, 3, 3)), route),
  blockOf(2, ...byBlock(distributed('uusd', 1, 333333333333333333n, 1, 3), pledged(1, ANN, BEN, 1))),
  blockOf(3, proposed, settled, delegated, sent),
  // Cay gives away 5 units that are not there, and the next income is below 0
  blockOf(4, moved(CAY, BEN, 5, 0, 5), distributed('uusd', 3, 0, 0, 3), {
    ...moved(ANN, BEN, 0, 3, 5),
    fields: { ...moved(ANN, BEN, 0, 3, 5).fields, from_units_after: 'é'.repeat(10_000) },
  }),
];

let test: TestStore;
let api: Api;
beforeAll(async () => {
  test = await openTestStore();
  const specs = [...DERIVATIONS.flatMap(({ tables }) => tables), ...SHARED_TABLES];
  for (const [i, { table, native }] of openDeriver().derive(BLOCKS).entries()) {
    const columns = specs.find(({ name }) => name === table)?.columns ?? [];
    const path = join(test.folder, `${i}.native`);
    await writeFile(path, native);
    await test.store.insertNativeFiles(table, ['generation', ...columns.map(([column]) => column)], [path]);
  }
  const snapshot = {
    ...EMPTY_SNAPSHOT,
    indexedHeight: 4,
    chainHeight: 4,
    latestBlockTimeNs: 4_000_000_000n,
    generations: new Map(DERIVATIONS.map(({ module }) => [module, GENERATION])),
  };
  api = createApi({
    readers: [test.store],
    state: fixedState(() => snapshot),
    chain: {
      ...{ chainId: 'test-1', hrp: 'aeva', namespace: 'aeva', moduleAccounts: [] },
      market: readParameters(new Map(), 'aeva'),
    },
    cursorKey: TEST_CURSOR_KEY,
    openapi: new Uint8Array(0),
    routes: MODULE_ROUTES,
    clock: systemClock,
    reportError: (error) => {
      throw error;
    },
  });
});
afterAll(() => test?.close());

async function get(route: string, target: string): Promise<Record<string, never>> {
  const { status, body } = await api.handle('GET', target);
  const answer = JSON.parse(Buffer.from(body).toString()) as Record<string, never>;
  expect({ target, status, problems: validateAnswer(route, status, answer) }).toEqual({
    ...{ target, status: 200, problems: [] },
  });
  return answer;
}

/** Every tx hash of an answer, wherever it is. */
function hashesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key.endsWith('tx_hash') ? [part] : hashesIn(part)));
}

it.each([
  ['/v1/assets/{id}', `/v1/assets/${ASSET}`, [null]],
  // the newest is a tx's
  ['/v1/assets/{id}/distributions', `/v1/assets/${ASSET}/distributions`, ['04'.repeat(32), null]],
  ['/v1/settlements/{id}', '/v1/settlements/1', [null, null, null]],
  ['/v1/encumbrances/{id}', '/v1/encumbrances/1', [null, null]],
  ['/v1/delegations/{id}', '/v1/delegations/1', [null]],
  ['/v1/bridge/transfers', '/v1/bridge/transfers', [null]],
])('%s has no tx hash of what a block did by itself', async (route, target, hashes) => {
  expect(hashesIn(await get(route, target))).toEqual(hashes);
});

it('amounts below 0 have a sign, as the contract says', async () => {
  const { assets, claimable } = await get('/v1/accounts/{addr}', `/v1/accounts/${CAY}`);
  expect(assets).toMatchObject([{ kinds: [{ units: '-5', transferable: '-5' }] }]);
  // 3 of 3 units: an index of 1.333…; floor(−5 · 1)
  expect(claimable).toMatchObject([{ pending: '-5', accrued: '0', total: '-5' }]);
  await get('/v1/assets/{id}', `/v1/assets/${ASSET}`);
});

it('a text of an event that cannot be read is served, but for its end', async () => {
  const { drift } = await get('/v1/invariants', '/v1/invariants');
  expect(drift).toContainEqual({
    ...{ source: 'event', module: 'rights', height: 4, tx_index: 0, event_index: 2, record: '' },
    ...{ type: 'aeva.rights.v1.EventTransferred', field: 'from_units_after', indexer: '3' },
    chain: `"${'é'.repeat(199)}`,
  });
});
