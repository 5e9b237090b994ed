import { moduleAddress } from 'strata-devnet/modules/bank/keeper';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import type { JsonObject } from 'strata-kit/proto-json';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { type DeskWorld, openDeskWorld, type WorldOptions } from '../support/desk-world.ts';
import { eventually } from '../support/eventually.ts';

/** Requests for a quote, on a chain: what they become, and what is refused. */

let open: DeskWorld | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function world(options: WorldOptions = {}): Promise<DeskWorld> {
  open = await openDeskWorld(options);
  return open;
}

const ONE = 1_000_000n;
const user = (i: number) => bech32Of('aeva', keyFromSeed('secp256k1', 'asker', i));
const ask = (more: object = {}) => ({
  ...{ address: user(0), symbol: 'ORCH', kind: -1, side: 'buy', units: String(10n * ONE) },
  ...more,
});

async function refusal(act: Promise<unknown>): Promise<Pick<AppError, 'code' | 'message'>> {
  const error = await act.then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, message: error.message };
}

it('quotes the whole share and each kind, and proposes what is asked for with its side in escrow', async () => {
  const one = await world();
  expect(await one.desk.book.quotes()).toEqual(
    [
      { kind: -1, bid: 2_940_000n, ask: 3_060_000n },
      { kind: 0, bid: 1_764_000n, ask: 1_836_000n },
      { kind: 1, bid: 882_000n, ask: 918_000n },
      { kind: 2, bid: 294_000n, ask: 306_000n },
    ].map((quote) => ({ symbol: 'ORCH', name: 'ORCH', ...quote })),
  );
  const bought = await one.desk.rfq(ask(), '10.0.0.1');
  expect(bought).toEqual({
    settlement_id: 1,
    ...{ instrument: 'ORCH', kind: -1, side: 'buy', units: '10000000', price: '3060000', amount: '30600000' },
  });
  const { timeNs } = await one.chain.node.status();
  const settlement = await one.settlement(1);
  expect(settlement).toMatchObject({
    ...{ proposer: one.deskAddress, counterparty: user(0), status: 'STATUS_PENDING' },
    legs: [
      ...[0, 1, 2].map((kind_id) => ({
        direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY',
        right: { asset_id: one.assetId, kind_id, units: '10000000' },
      })),
      { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: { denom: 'uusd', amount: '30600000' } },
    ],
  });
  const leftMs = Date.parse(String(settlement.expiry)) - Number(timeNs / 1_000_000n);
  expect(leftMs).toBeGreaterThan(540_000);
  expect(leftMs).toBeLessThanOrEqual(600_000);
  expect(await one.units(one.deskAddress, 2)).toBe(99_990n * ONE);

  const sold = await one.desk.rfq(ask({ side: 'sell', kind: 1, units: '1000001' }), '10.0.0.1');
  expect(sold).toMatchObject({ settlement_id: 2, price: '882000', amount: '882000' });
  expect(await one.balance(one.deskAddress, 'uusd')).toBe(50_000n * ONE - 882_000n);
});

it.each([
  [['ECONOMIC'], [{ kind: 0, bid: 1_764_000n, ask: null }]],
  [
    ['ECONOMIC', 'INCOME'],
    [
      { kind: 0, bid: 1_764_000n, ask: null },
      { kind: 1, bid: 882_000n, ask: null },
    ],
  ],
])(
  'sells no kinds alone that put together are a whole share for less than it pays: %j',
  async (classes, alone) => {
    const one = await world({ classes });
    const quotes = await one.desk.book.quotes();
    expect(quotes.map(({ kind, bid, ask }) => ({ kind, bid, ask }))).toEqual([
      { kind: -1, bid: 2_940_000n, ask: 3_060_000n },
      ...alone,
    ]);
    expect(await refusal(one.desk.rfq(ask({ kind: 0 }), '10.0.0.1'))).toEqual({
      code: 'conflict',
      message: 'the desk buys this kind alone, but sells it only in whole shares',
    });
    expect(await one.desk.rfq(ask({ kind: 0, side: 'sell' }), '10.0.0.1')).toMatchObject({
      price: '1764000',
    });
  },
);

it('twenty at once, from several addresses, are twenty proposals, and the inventory is the chain’s', async () => {
  const one = await world({ desk: { answerMs: 60_000 } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      one.desk.rfq(
        ask({ address: user(i % 5), side: i % 2 === 0 ? 'buy' : 'sell', units: String(BigInt(i + 1) * ONE) }),
        `10.0.1.${i}`,
      ),
    ),
  );
  const ids = answers.map(({ settlement_id }) => settlement_id);
  expect([...ids].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  const settlements = await one.settlements();
  expect(settlements).toHaveLength(20);
  let [units, coins] = [0n, 0n];
  for (const answer of answers) {
    const legs = (await one.settlement(answer.settlement_id)).legs as readonly {
      right?: JsonObject;
      coin?: JsonObject;
    }[];
    expect(legs[0]?.right?.units).toBe(answer.units);
    expect(legs[3]?.coin?.amount).toBe(answer.amount);
    if (answer.side === 'buy') units += BigInt(answer.units);
    else coins += BigInt(answer.amount);
  }
  expect(await one.units(one.deskAddress, 0)).toBe(100_000n * ONE - units);
  expect(await one.balance(one.deskAddress, 'uusd')).toBe(50_000n * ONE - coins);
  const rows = await one.database.selectFrom('desk_trades').select(['status', 'settlement_id']).execute();
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'proposed'));
  expect(new Set(rows.map(({ settlement_id }) => settlement_id)).size).toBe(20);
});

it('the same request twice at once is one proposal, and one after it another', async () => {
  const one = await world();
  const [a, b] = await Promise.all([one.desk.rfq(ask(), '10.0.0.1'), one.desk.rfq(ask(), '10.0.0.2')]);
  expect(a).toEqual(b);
  expect((await one.desk.rfq(ask(), '10.0.0.1')).settlement_id).toBe(2);
  expect(await one.settlements()).toHaveLength(2);
});

describe('a request', () => {
  let one: DeskWorld;
  let asked = 0;
  beforeAll(async () => {
    one = await openDeskWorld();
    return () => one.close();
  });

  it.each([
    ['no object', 'x', 'bad_request'],
    ['null', null, 'bad_request'],
    [
      'another chain’s address',
      ask({ address: 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a' }),
      'bad_request',
    ],
    [
      'a validator’s address',
      ask({ address: 'aevavaloper1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq' }),
      'bad_request',
    ],
    ['a number for units', ask({ units: 5 }), 'bad_request'],
    ['no units', ask({ units: '0' }), 'bad_request'],
    ['negative units', ask({ units: '-5' }), 'bad_request'],
    ['a fraction', ask({ units: '1.5' }), 'bad_request'],
    ['units of a hundred digits', ask({ units: '9'.repeat(100) }), 'bad_request'],
    ['hex units', ask({ units: '0x10' }), 'bad_request'],
    ['another side', ask({ side: 'BUY' }), 'bad_request'],
    ['a kind that is a text', ask({ kind: '0' }), 'bad_request'],
    ['half a kind', ask({ kind: 0.5 }), 'bad_request'],
    ['a kind below the whole', ask({ kind: -2 }), 'not_found'],
    ['a kind beyond 32 bits', ask({ kind: 2 ** 40 }), 'not_found'],
    ['a symbol of a thousand letters', ask({ symbol: 'A'.repeat(1_000) }), 'not_found'],
    ['a prototype’s name as a symbol', ask({ symbol: '__proto__' }), 'not_found'],
    ['SQL as a symbol', ask({ symbol: "ORCH' OR 1=1 --" }), 'not_found'],
    ['an unknown kind', ask({ kind: 3 }), 'not_found'],
    ['more than 5,000', ask({ units: String(1_634n * ONE) }), 'conflict'],
    ['77 digits', ask({ units: '9'.repeat(77) }), 'conflict'],
    ['units that are worth nothing', ask({ kind: 2, side: 'sell', units: '1' }), 'conflict'],
  ])('is refused for %s, and leaves nothing', async (_, body, code) => {
    asked += 1;
    // refused ones count for the IP
    expect(await refusal(one.desk.rfq(body, `10.0.0.${asked}`))).toMatchObject({ code });
    expect(await one.settlements()).toEqual([]);
    expect(await one.database.selectFrom('desk_trades').selectAll().execute()).toEqual([]);
  });
});

it('does not say that it trades no such thing while it looks for what it trades', async () => {
  let instruments: readonly { symbol: string; assetId: string }[] | undefined;
  const one = await world();
  const desk = one.newDesk({
    instruments: () => instruments ?? [],
    isComplete: () => instruments !== undefined,
  });
  expect(await refusal(desk.rfq(ask(), '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  instruments = [{ symbol: 'ORCH', assetId: one.assetId }];
  expect(await desk.rfq(ask(), '10.0.0.1')).toMatchObject({ settlement_id: 1 });
  expect(await refusal(desk.rfq(ask({ symbol: 'NOPE' }), '10.0.0.1'))).toMatchObject({ code: 'not_found' });
});

it('refuses its own address, and takes one in the EVM’s form', async () => {
  const one = await world();
  expect(await refusal(one.desk.rfq(ask({ address: one.deskAddress }), '10.0.0.1'))).toMatchObject({
    code: 'bad_request',
  });
  await one.desk.rfq(ask({ address: `0x${'11'.repeat(20)}` }), '10.0.0.1');
  expect((await one.settlement(1)).counterparty).toMatch(/^aeva1/);
});

it('counts five an address and twenty an IP in ten minutes, across restarts, and says when to come back', async () => {
  const one = await world();
  const asks = (desk: DeskWorld['desk'], i: number, ip: string, address = user(0)) =>
    desk.rfq(ask({ address, units: String(ONE + BigInt(i)) }), ip);
  for (let i = 0; i < 3; i++) await asks(one.desk, i, '10.0.0.1');
  const restarted = one.newDesk();
  for (let i = 3; i < 5; i++) await asks(restarted, i, '10.0.0.2');
  const error = await asks(restarted, 5, '10.0.0.3').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'too_many_requests' });
  const { retryAfterSeconds = 0 } = error as AppError;
  expect(retryAfterSeconds).toBeGreaterThan(500);
  expect(retryAfterSeconds).toBeLessThanOrEqual(600);
  // refused ones count for the IP alone
  const big = (i: number) => one.desk.rfq(ask({ address: user(i), units: String(2_000n * ONE) }), '10.0.0.9');
  for (let i = 0; i < 20; i++) expect(await refusal(big(i))).toMatchObject({ code: 'conflict' });
  expect(await refusal(big(20))).toMatchObject({ code: 'too_many_requests' });
  expect((await asks(one.desk, 6, '10.0.0.8', user(20))).settlement_id).toBe(6);
});

it('does not quote without a pool, and not at all when the indexer is behind', async () => {
  const one = await world();
  one.setMid(null);
  expect((await one.desk.book.quotes()).map(({ bid, ask: price }) => [bid, price])).toEqual(
    Array.from({ length: 4 }, () => [null, null]),
  );
  expect(await refusal(one.desk.rfq(ask(), '10.0.0.1'))).toMatchObject({ code: 'conflict' });
  one.setMid(3_000_000n);
  one.setLag(31_000);
  const late = one.newDesk();
  expect(await refusal(late.book.quotes())).toMatchObject({ code: 'unavailable' });
  expect(await refusal(late.rfq(ask(), '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  expect(await one.settlements()).toEqual([]);
});

it('quotes no side that runs low, and promises no more than half of one', async () => {
  // 1,000 coins, 300 shares
  const one = await world({ coins: 1_000n * ONE, shares: 300n });
  // 170 · 2.94 = 499.8, then 1 · 2.94 beyond 500
  await one.desk.rfq(ask({ side: 'sell', units: String(170n * ONE) }), '10.0.0.1');
  expect(await refusal(one.desk.rfq(ask({ side: 'sell', units: String(ONE) }), '10.0.0.1'))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('half'),
  });
  await one.desk.rfq(ask({ units: String(150n * ONE) }), '10.0.0.1');
  expect(await refusal(one.desk.rfq(ask({ units: '1' }), '10.0.0.1'))).toMatchObject({ code: 'conflict' });
  // another kind's half is the same pot
  expect(await refusal(one.desk.rfq(ask({ kind: 1, units: '1' }), '10.0.0.1'))).toMatchObject({
    code: 'conflict',
  });
  // 150 VOTE units at 0.306 are 45.9: below 100 coins
  const quotes = await one.newDesk().book.quotes();
  expect(quotes.find(({ kind }) => kind === 2)).toMatchObject({ ask: null, bid: 294_000n });
  expect(quotes.find(({ kind }) => kind === -1)).toMatchObject({ ask: 3_060_000n, bid: 2_940_000n });
});

it('promises no more than half of a side to those who ask at once', async () => {
  const one = await world({ shares: 300n });
  const answers = await Promise.allSettled(
    [0, 1, 2, 3].map((i) => one.desk.rfq(ask({ address: user(i), units: String(60n * ONE) }), `10.0.2.${i}`)),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const answer of answers) {
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict' });
  }
  expect(await one.units(one.deskAddress, 0)).toBe(180n * ONE);
});

it('an expired proposal gives back what it held, a settled and a cancelled one end too', async () => {
  const one = await world({ devnet: { clock: 'simulated', blockTimeMs: 40 } });
  const buyer = await one.user('buyer');
  await one.desk.rfq(ask(), '10.0.0.1');
  await one.desk.rfq(ask({ address: buyer.address }), '10.0.0.1');
  await one.desk.rfq(ask({ address: buyer.address, side: 'sell' }), '10.0.0.1');
  const party = { counterparty: buyer.address, id: '2' };
  expect(await buyer.send({ '@type': '/aeva.settlement.v1.MsgAccept', ...party })).toMatchObject({ code: 0 });
  expect(
    await buyer.send({ '@type': '/aeva.settlement.v1.MsgCancel', actor: buyer.address, id: '3' }),
  ).toMatchObject({ code: 0 });
  expect(await one.units(buyer.address, 1)).toBe(100_010n * ONE);
  one.runDesk();
  const statuses = async () =>
    (await one.database.selectFrom('desk_trades').select('status').orderBy('settlement_id').execute()).map(
      ({ status }) => status,
    );
  await eventually(async () => (await statuses()).join() === 'expired,settled,cancelled');
  expect(await one.units(one.deskAddress, 0)).toBe(99_990n * ONE);
  expect(await one.balance(one.deskAddress, 'uusd')).toBe(50_030_600_000n);
});

it('says why the chain would refuse: a policy, a party that is a module, a liquidation', async () => {
  const one = await world();
  const issuer = {
    '@type': '/aeva.asset.v1.MsgSetPolicy',
    issuer: bech32Of('aeva', keyFromSeed('eth_secp256k1', 'strata/devnet/service/faucet')),
  };
  const policy = { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc'], attesters: [issuer.issuer] };
  await one.send({ ...issuer, asset_id: one.assetId, kind_id: 1, policy });
  expect(await refusal(one.newDesk().rfq(ask(), '10.0.0.1'))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining("'kyc'"),
  });
  expect((await one.desk.rfq(ask({ kind: 0 }), '10.0.0.1')).settlement_id).toBe(1);
  await one.send({
    '@type': '/aeva.attestation.v1.MsgAttest',
    ...{ attester: issuer.issuer, subject: user(0), type: 'kyc', expiry: '2100-01-01T00:00:00Z' },
  });
  expect((await one.desk.rfq(ask({ kind: 1 }), '10.0.0.1')).settlement_id).toBe(2);
  const address = moduleAddress(one.devnet.parameters, 'fee_collector');
  expect(await refusal(one.desk.rfq(ask({ kind: 0, address }), '10.0.0.1'))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the chain refuses it'),
  });
  const { issuer: faucet } = issuer;
  await one.send(
    {
      '@type': '/aeva.waterfall.v1.MsgSetWaterfall',
      ...{ issuer: faucet, asset_id: one.assetId, tiers: [{ tier: 1, kind_id: 0 }] },
    },
    {
      '@type': '/aeva.waterfall.v1.MsgBeginLiquidation',
      initiator: faucet,
      asset_id: one.assetId,
      denom: 'uusd',
    },
  );
  // what was proposed has ended with it
  expect((await one.settlement(1)).cancel_reason).toBe('LIQUIDATION');
  const late = one.newDesk();
  expect(await refusal(late.rfq(ask({ kind: 0 }), '10.0.0.1'))).toMatchObject({
    code: 'conflict',
    message: 'the asset is being liquidated',
  });
  expect((await late.book.quotes()).flatMap(({ bid, ask: price }) => [bid, price])).toEqual(
    Array(8).fill(null),
  );
  // nothing of what was refused holds anything
  const rows = await one.database.selectFrom('desk_trades').select('status').execute();
  expect(rows.map(({ status }) => status).sort()).toEqual(['failed', 'proposed', 'proposed']);
});
