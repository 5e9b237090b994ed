import { accountState } from 'strata-kit/client/accounts';
import { bech32Of } from 'strata-kit/client/keys';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fitOf } from '../../../src/desk/settlement.ts';
import { type DeskWorld, openDeskWorld, type User } from '../support/desk-world.ts';
import { FAUCET } from '../support/devnet-chain.ts';
import { eventually } from '../support/eventually.ts';

/** What others propose to the desk: accepted at its quote or better, once, and nothing else. */

let one: DeskWorld;
let user: User;
beforeEach(async () => {
  one = await openDeskWorld();
  user = await one.user('ann');
});
afterEach(async () => {
  await one.close();
});

const ONE = 1_000_000n;
const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const BACK = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';

const right = (direction: string, kind_id: number, units: bigint, asset_id = one.assetId) => ({
  direction,
  right: { asset_id, kind_id, units: String(units) },
});
const coin = (direction: string, amount: bigint, denom = 'uusd') => ({
  direction,
  coin: { denom, amount: String(amount) },
});
const selling = (kinds: readonly number[], units: bigint, amount: bigint) => [
  ...kinds.map((kind) => right(OUT, kind, units)),
  coin(BACK, amount),
];
const buying = (kinds: readonly number[], units: bigint, amount: bigint) => [
  coin(OUT, amount),
  ...kinds.map((kind) => right(BACK, kind, units)),
];

let proposals = 0;
beforeEach(() => {
  proposals = 0;
});

/** The id of what the user proposes to the desk. */
async function propose(
  legs: readonly JsonObject[],
  seconds = 3_600n,
  counterparty = one.deskAddress,
): Promise<number> {
  const { timeNs } = await one.chain.node.status();
  const expiry = formatTimeNs(timeNs + seconds * 1_000_000_000n);
  const type = '/aeva.settlement.v1.MsgPropose';
  const sent = await user.send({ '@type': type, proposer: user.address, counterparty, legs, expiry });
  expect(sent).toMatchObject({ code: 0 });
  proposals += 1;
  return proposals;
}

const statusOf = async (id: number) => String((await one.settlement(id)).status).replace('STATUS_', '');
const statuses = (ids: readonly number[]) => Promise.all(ids.map(statusOf));

const trades = () =>
  one.database.selectFrom('desk_trades').select(['id', 'status', 'attempts', 'note']).execute();

/** So many more rounds of the desk have ended. */
async function rounds(count: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, count * 60));
}

it('accepts at the quote and better, of the whole and of a kind, on both sides, and not a unit worse', async () => {
  // bid 2.94, ask 3.06; INCOME 0.882, 0.918
  const good = [
    await propose(selling([0, 1, 2], 2n * ONE, 5_880_000n)),
    await propose(selling([2, 0, 1], 2n * ONE, 5_879_999n)),
    await propose(buying([0, 1, 2], 2n * ONE, 6_120_000n)),
    await propose(buying([1, 2, 0], 2n * ONE, 6_120_001n)),
    await propose(selling([1], ONE, 882_000n)),
    await propose(buying([1], ONE, 918_000n)),
    // 3.672 rounds up for who buys: 4
    await propose(buying([1], 4n, 4n)),
    // 3.528 rounds down for who sells: 3
    await propose(selling([1], 4n, 3n)),
  ];
  const bad = [
    await propose(selling([0, 1, 2], 2n * ONE, 5_880_001n)),
    await propose(buying([0, 1, 2], 2n * ONE, 6_119_999n)),
    await propose(selling([1], ONE, 882_001n)),
    await propose(buying([1], ONE, 917_999n)),
    await propose(buying([1], 4n, 3n)),
    await propose(selling([1], 4n, 4n)),
    // 5,000.04 at the ask: above the limit
    await propose(buying([0, 1, 2], 1_634n * ONE, 5_001n * ONE)),
  ];
  one.runDesk();
  await eventually(async () => (await statuses(good)).every((status) => status === 'SETTLED'));
  await rounds(5);
  expect(await statuses(bad)).toEqual(bad.map(() => 'PENDING'));
  // each once: as many txs as there were good ones
  const state = await accountState(one.devnet.app.codec, one.chain.node, one.deskAddress);
  expect(state?.sequence).toBe(BigInt(good.length));
  const rows = await one.database.selectFrom('desk_trades').selectAll().execute();
  expect(rows.map(({ role, status }) => `${role} ${status}`)).toEqual(good.map(() => 'accept settled'));
});

it('accepts no other form, and reads each of those once', async () => {
  const half = [right(OUT, 0, ONE), right(OUT, 1, ONE), coin(BACK, 1n)];
  const forms = [
    half,
    [right(OUT, 0, ONE), coin(BACK, 1n), coin(BACK, 1n)],
    [right(OUT, 0, ONE), coin(BACK, 1n), coin(OUT, 5n)],
    [right(OUT, 0, ONE), coin(BACK, 1n), right(BACK, 1, 5n)],
    [right(OUT, 0, ONE), right(OUT, 1, ONE), right(OUT, 2, ONE + 1n), coin(BACK, 1n)],
    [right(OUT, 0, ONE), right(OUT, 0, ONE), coin(BACK, 1n)],
    [right(OUT, 0, ONE), coin(BACK, 1n, 'aaeva')],
    [right(OUT, 0, ONE)],
    [coin(OUT, 5n)],
    [coin(BACK, 5n)],
    [right(OUT, 0, ONE), coin(OUT, 5n)],
    [right(BACK, 0, ONE), coin(BACK, 5n)],
  ];
  const ids: number[] = [];
  for (const legs of forms) ids.push(await propose(legs));
  // it ends before a block may have the acceptance
  ids.push(await propose(selling([0], ONE, 1n), 5n));
  const stranger = await one.user('ben');
  ids.push(await propose(selling([0], ONE, 1n), 3_600n, stranger.address));
  one.setPending([...ids].reverse());
  one.runDesk();
  await eventually(async () => one.asked.get('/aeva.settlement.v1.Query/Settlement') === ids.length);
  await rounds(8);
  expect(one.asked.get('/aeva.settlement.v1.Query/Settlement')).toBe(ids.length);
  expect((await statuses(ids)).filter((status) => status === 'SETTLED')).toEqual([]);
  expect(await one.database.selectFrom('desk_trades').selectAll().execute()).toEqual([]);
});

it('looks again at what was too dear when the quote changes', async () => {
  const dear = await propose(selling([0, 1, 2], ONE, 3_000_000n));
  one.runDesk();
  await eventually(async () => one.asked.get('/aeva.settlement.v1.Query/Settlement') === 1);
  await rounds(8);
  expect(one.asked.get('/aeva.settlement.v1.Query/Settlement')).toBe(1);
  // bid 3.038
  one.setMid(3_100_000n);
  await eventually(async () => (await statusOf(dear)) === 'SETTLED');
});

it('does not accept while the indexer is behind, nor without inventory', async () => {
  one.setLag(31_000);
  const id = await propose(selling([0, 1, 2], ONE, 2_000_000n));
  one.runDesk();
  await rounds(10);
  expect(await statusOf(id)).toBe('PENDING');
  one.setLag(0);
  await eventually(async () => (await statusOf(id)) === 'SETTLED');
  // the coins are gone, down to 99
  const left = await one.balance(one.deskAddress, 'uusd');
  const sender = one.newDesk();
  expect(sender.address).toBe(one.deskAddress);
  for (let spent = 0n; left - spent > 99n * ONE; ) {
    const amount = [4_990n * ONE, left - spent - 99n * ONE].reduce((a, b) => (a < b ? a : b));
    // at 2.94 each, with a little to spare
    await propose(selling([0, 1, 2], (amount * ONE) / 2_939_000n, amount));
    spent += amount;
  }
  await eventually(async () => (await one.balance(one.deskAddress, 'uusd')) === 99n * ONE, trades);
  const late = await propose(selling([0, 1, 2], ONE, 1n));
  await rounds(10);
  expect(await statusOf(late)).toBe('PENDING');
});

it('accepts what it was short of once it has it, at the same quote', async () => {
  await one.close();
  one = await openDeskWorld({ coins: 6_000n * ONE });
  user = await one.user('ann');
  const first = await propose(selling([0, 1, 2], 1_400n * ONE, 4_000n * ONE));
  one.runDesk();
  await eventually(async () => (await statusOf(first)) === 'SETTLED');
  const second = await propose(selling([0, 1, 2], 1_400n * ONE, 4_000n * ONE));
  await eventually(async () => one.asked.get('/aeva.settlement.v1.Query/Settlement') === 2);
  await rounds(8);
  expect(await statusOf(second)).toBe('PENDING');
  // looked at once while nothing changes
  expect(one.asked.get('/aeva.settlement.v1.Query/Settlement')).toBe(2);
  await one.send({
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: bech32Of('aeva', FAUCET),
    to_address: one.deskAddress,
    amount: [{ denom: 'uusd', amount: String(3_000n * ONE) }],
  });
  await eventually(async () => (await statusOf(second)) === 'SETTLED');
});

it('leaves alone what a policy denies, and says so in its trades', async () => {
  const id = await propose(buying([1], ONE, 2_000_000n));
  const policy = { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] };
  const issuer = bech32Of('aeva', FAUCET);
  await one.send({
    '@type': '/aeva.asset.v1.MsgSetPolicy',
    issuer,
    asset_id: one.assetId,
    kind_id: 1,
    policy,
  });
  one.runDesk();
  const row = () =>
    one.database.selectFrom('desk_trades').selectAll().where('id', '=', `accept/${id}`).executeTakeFirst();
  await eventually(async () => (await row())?.status === 'failed');
  expect((await row())?.note).toMatch(/policy denied/);
  await rounds(8);
  expect(await row()).toMatchObject({ attempts: 1, status: 'failed' });
  expect(await statusOf(id)).toBe('PENDING');
});

it('gives up after three attempts, whatever the quote does', async () => {
  const id = await propose(buying([1], ONE, 2_000_000n));
  const policy = { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] };
  const issuer = bech32Of('aeva', FAUCET);
  await one.send({
    '@type': '/aeva.asset.v1.MsgSetPolicy',
    issuer,
    asset_id: one.assetId,
    kind_id: 1,
    policy,
  });
  one.runDesk();
  const attempts = async () =>
    (
      await one.database
        .selectFrom('desk_trades')
        .select('attempts')
        .where('id', '=', `accept/${id}`)
        .where('status', '=', 'failed')
        .executeTakeFirst()
    )?.attempts;
  for (const attempt of [1, 2, 3]) {
    await eventually(async () => (await attempts()) === attempt);
    one.setMid(3_000_000n + BigInt(attempt) * 1_000n);
  }
  await rounds(8);
  expect(await attempts()).toBe(3);
});

it('knows a lot by its kinds, not by their order or number', () => {
  const asset = { id: 'a', lots: [{ kind: -1, kindIds: [0, 2], className: '', share: 100n }] };
  const listed = [{ symbol: 'A', name: 'A', asset: asset as never }];
  const legs = (kinds: readonly number[]) => [
    ...kinds.map((kind_id) => ({ direction: OUT, right: { asset_id: 'a', kind_id, units: '5' } })),
    { direction: BACK, coin: { denom: 'uusd', amount: '7' } },
  ];
  expect(fitOf({ legs: legs([2, 0]) }, listed, 'uusd')).toMatchObject({
    side: 'sell',
    units: 5n,
    amount: 7n,
  });
  for (const kinds of [[0], [0, 0], [0, 2, 2], [0, 1], [0, 1, 2]]) {
    expect(fitOf({ legs: legs(kinds) }, listed, 'uusd')).toEqual(expect.any(String));
  }
});
