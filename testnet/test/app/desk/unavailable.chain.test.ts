import { ClientError } from 'strata-kit/client/errors';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import type { Node } from 'strata-kit/client/node';
import { systemClock } from 'strata-kit/clock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Chain } from '../../../src/chain.ts';
import type { Desk, DeskOptions } from '../../../src/desk/desk.ts';
import { createSender } from '../../../src/sender/sender.ts';
import { DESK_KEY, type DeskWorld, openDeskWorld } from '../support/desk-world.ts';
import { eventually } from '../support/eventually.ts';
import { withOtherHash } from '../support/relay.ts';

/** A request for a quote while the node fails: what is answered, what is held, and what is found later. */

let one: DeskWorld;
beforeEach(async () => {
  one = await openDeskWorld();
});
afterEach(async () => {
  await one.close();
});

const address = bech32Of('aeva', keyFromSeed('secp256k1', 'asker'));
const request = { address, symbol: 'ORCH', kind: 0, side: 'buy', units: '5000000' };
const lost = () => Promise.reject(new ClientError('unreachable', 'no answer'));

function deskWith(node: Partial<Node>, more: Partial<DeskOptions> = {}): Desk {
  const chain: Chain = { ...one.chain, node: { ...one.chain.node, ...node } };
  const sender = createSender({
    chain,
    key: DESK_KEY,
    clock: systemClock,
    pollMs: 15,
    patienceMs: more.timeoutBlocks === undefined ? 250 : 30_000,
  });
  return one.newDesk({ chain, sender, timeoutBlocks: 6, ...more });
}

const rows = () => one.database.selectFrom('desk_trades').selectAll().orderBy('created_at_ms').execute();
const failure = (act: Promise<unknown>) =>
  act.then(
    () => 'nothing failed',
    (reason: unknown) => reason,
  );

it('is 503 and stays held while nobody knows, and another desk finds the proposal', async () => {
  let isAway = false;
  const desk = deskWith({
    async broadcast(tx) {
      const answer = await one.chain.node.broadcast(tx);
      isAway = true;
      return answer;
    },
    status: () => (isAway ? lost() : one.chain.node.status()),
    tx: (hash) => (isAway ? lost() : one.chain.node.tx(hash)),
  });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  expect(await rows()).toMatchObject([{ status: 'signed', side: 'buy', units: '5000000' }]);
  // not another proposal of the same
  expect(await failure(one.newDesk().rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  // a node whose index of txs is behind, and which tells of no further block
  const { height, ...status } = await one.chain.node.status();
  const stop = new AbortController();
  const behind = deskWith({ status: async () => ({ ...status, height }), tx: async () => undefined });
  const running = behind.run(stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 400));
  stop.abort();
  await running;
  expect((await rows())[0]?.status).toBe('signed');
  one.runDesk();
  await eventually(async () => (await rows())[0]?.status === 'proposed');
  expect(await rows()).toMatchObject([{ settlement_id: '1' }]);
  expect(await one.settlements()).toHaveLength(1);
});

it('finds its proposal under the hash that a relay gave it, and proposes nothing again', async () => {
  let isAway = false;
  const broadcast: Node['broadcast'] = async (tx) =>
    one.chain.node.broadcast(await withOtherHash(one.chain, DESK_KEY, tx));
  const desk = deskWith({
    async broadcast(tx) {
      const answer = await broadcast(tx);
      isAway = true;
      return answer;
    },
    status: () => (isAway ? lost() : one.chain.node.status()),
    tx: (hash) => (isAway ? lost() : one.chain.node.tx(hash)),
  });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  const [row] = await rows();
  expect(row?.status).toBe('signed');
  // as a process that starts, with the same relay
  const next = deskWith({ broadcast });
  one.runDesk(next);
  await eventually(async () => (await rows())[0]?.status !== 'signed');
  expect(await rows()).toMatchObject([{ status: 'proposed', settlement_id: '1', hash: row?.hash }]);
  expect(await one.chain.node.tx(row?.hash ?? '')).toBeUndefined();
  // and while it runs
  expect(await next.rfq({ ...request, units: '6000000' }, '10.0.0.1')).toMatchObject({ settlement_id: 2 });
  expect(await one.settlements()).toHaveLength(2);
});

it('is 503 when no block took it in time, and nothing is held any more', async () => {
  const desk = deskWith({ broadcast: lost });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  one.runDesk();
  await eventually(async () => (await rows())[0]?.status === 'released');
  expect(await one.settlements()).toEqual([]);
  expect((await one.desk.rfq(request, '10.0.0.1')).settlement_id).toBe(1);
});

it('is 503 after its time, and the same request then waits for the same proposal', async () => {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const desk = deskWith(
    {
      async broadcast(tx) {
        await held;
        return one.chain.node.broadcast(tx);
      },
    },
    { answerMs: 1_500, timeoutBlocks: 500 },
  );
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  const second = desk.rfq(request, '10.0.0.1');
  go();
  expect(await second).toMatchObject({ settlement_id: 1 });
  expect(await one.settlements()).toHaveLength(1);
});

it('is 503 when the node goes away after the reservation, and nothing is held any more', async () => {
  const desk = deskWith({
    status: async () =>
      (await rows()).some(({ status }) => status === 'reserved') ? lost() : one.chain.node.status(),
  });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  expect((await rows()).map(({ status }) => status)).toEqual(['released']);
});

it('is 503 in its time also for who waits behind one that gets no answer', async () => {
  let isSilent = false;
  let go: () => void = () => undefined;
  const silence = new Promise<void>((resolve) => {
    go = resolve;
  });
  const desk = deskWith(
    {
      status: async () => {
        if (isSilent) await silence;
        return one.chain.node.status();
      },
    },
    { answerMs: 500 },
  );
  await desk.book.listed();
  isSilent = true;
  const answers = ['1000000', '2000000'].map((units) => failure(desk.rfq({ ...request, units }, '10.0.0.1')));
  const late = answers[1]?.then(() => failure(desk.rfq({ ...request, units: '3000000' }, '10.0.0.1')));
  for (const answer of [...answers, late]) expect(await answer).toMatchObject({ code: 'unavailable' });
  expect(await rows()).toEqual([]);
  go();
  await eventually(async () => (await rows()).every(({ status }) => status === 'proposed'));
});

it('forgets proposals of another chain', async () => {
  const user = await one.user('other');
  // its id 1 is here somebody else's
  const leg = (direction: string, denom: string) => ({ direction, coin: { denom, amount: '5' } });
  await user.send({
    '@type': '/aeva.settlement.v1.MsgPropose',
    ...{ proposer: user.address, counterparty: address },
    legs: [
      leg('DIRECTION_PROPOSER_TO_COUNTERPARTY', 'uusd'),
      leg('DIRECTION_COUNTERPARTY_TO_PROPOSER', 'aaeva'),
    ],
    expiry: '2099-01-01T00:00:00Z',
  });
  expect((await one.settlement(1)).status).toBe('STATUS_PENDING');
  await one.desk.rfq(request, '10.0.0.1');
  const [row] = await rows();
  if (row === undefined) throw new Error('no row');
  for (const [id, settlement_id] of [
    ['a', '1'],
    ['b', '999'],
  ] as const) {
    await one.database
      .insertInto('desk_trades')
      .values({ ...row, id, settlement_id, timeout_height: '1' })
      .execute();
  }
  one.runDesk();
  await eventually(async () => (await rows()).filter(({ status }) => status === 'released').length === 2);
  expect((await rows()).find(({ id }) => id === row.id)?.status).toBe('proposed');
});

it('resolves later trades also while the blocks of an earlier one cannot be read', async () => {
  await one.desk.rfq(request, '10.0.0.1');
  const [row] = await rows();
  if (row === undefined) throw new Error('no row');
  // its sequence is used, and the blocks that could tell by what are gone
  const unreadable = { ...row, id: 'unreadable', status: 'signed', hash: 'AB', created_at_ms: 1 } as const;
  const later = { ...row, id: 'later', status: 'reserved', hash: null, tx: null, created_at_ms: 2 } as const;
  await one.database.insertInto('desk_trades').values([unreadable, later]).execute();
  one.runDesk(deskWith({ blockTxs: lost }));
  const statusOf = async (id: string) => (await rows()).find((one) => one.id === id)?.status;
  await eventually(async () => (await statusOf('later')) === 'released');
  expect(await statusOf('unreadable')).toBe('signed');
});

it('is 503 and reserves nothing while the database may be another desk’s, whose trades are left alone', async () => {
  let isHeld = false;
  const desk = deskWith({}, { isHeld: () => isHeld, roundMs: 20 });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  expect(await rows()).toEqual([]);

  // as another process has it that is about to sign
  const theirs = one.newDesk({
    onStep: (step) => (step === 'reserved' ? new Promise<void>(() => undefined) : undefined),
  });
  theirs.rfq(request, '10.0.0.2').catch(() => undefined);
  await eventually(async () => (await rows()).length === 1);
  one.runDesk(desk);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await rows()).toMatchObject([{ status: 'reserved' }]);
  isHeld = true;
  await eventually(async () => (await rows())[0]?.status === 'released');
});

it('accepts in the end what no block takes at first, more often than the chain may refuse it', async () => {
  const LOST_TXS = 5;
  const txs: string[] = [];
  const signedMs: number[] = [];
  const desk = deskWith(
    {
      broadcast(tx) {
        const text = Buffer.from(tx).toString('hex');
        if (!txs.includes(text)) signedMs[txs.push(text) - 1] = performance.now();
        return txs.indexOf(text) < LOST_TXS ? lost() : one.chain.node.broadcast(tx);
      },
    },
    { timeoutBlocks: 6 },
  );
  const user = await one.user('seller');
  const units = '1000000';
  await user.send({
    '@type': '/aeva.settlement.v1.MsgPropose',
    ...{ proposer: user.address, counterparty: one.deskAddress },
    legs: [
      ...[0, 1, 2].map((kind_id) => ({
        direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY',
        right: { asset_id: one.assetId, kind_id, units },
      })),
      { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: { denom: 'uusd', amount: '2000000' } },
    ],
    expiry: '2099-01-01T00:00:00Z',
  });
  one.runDesk(desk);
  await eventually(async () => (await one.settlement(1)).status === 'STATUS_SETTLED');
  expect(txs.length).toBeGreaterThan(LOST_TXS);
  // after 40, 80, 160 and 320 ms
  expect((signedMs[LOST_TXS] ?? 0) - (signedMs[LOST_TXS - 1] ?? 0)).toBeGreaterThan(640);
  await eventually(async () => (await rows())[0]?.status === 'settled');
  expect(await rows()).toMatchObject([{ id: 'accept/1', attempts: 1 }]);
});
