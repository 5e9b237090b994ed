import { DEFAULT_RISK, type DeskRisk } from 'strata-kit/desk-risk';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Door, RefusalReason } from '../../../src/desk/refusals.ts';
import { type DeskWorld, openDeskWorld, type User } from '../support/desk-world.ts';
import { eventually } from '../support/eventually.ts';

/** The attack of the first audit: a shallow pool is pumped, and the desk is made to buy at the moved quote. */

const ONE = 1_000_000n;
const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const BACK = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';
/** What the shares are worth before anybody moves the pool. */
const WORTH = 3_000_000n;
const RISK: DeskRisk = { ...DEFAULT_RISK, hourlyValue: 8_000n * ONE, exposurePercent: 50, perBlock: 3 };

let one: DeskWorld;
let user: User;
let isPaused: boolean;
let refusals: [Door, RefusalReason][];
beforeEach(async () => {
  [isPaused, refusals] = [false, []];
  const onRefusal = (door: Door, reason: RefusalReason) => void refusals.push([door, reason]);
  const pause = { isPaused: () => isPaused };
  one = await openDeskWorld({ desk: { risk: RISK, onRefusal, pause } });
  user = await one.user('ann');
});
afterEach(() => one.close());

const reasons = (door: Door) => new Set(refusals.flatMap(([at, reason]) => (at === door ? [reason] : [])));
const coinsOf = (address: string) => one.balance(address, 'uusd');

function ask(side: 'buy' | 'sell', units: bigint, ip: string) {
  const request = { address: user.address, symbol: 'ORCH', kind: -1, side, units: String(units) };
  return one.desk.rfq(request, ip);
}

/** Proposals of the user to the desk, all in one tx: each `units` whole shares for `amount`. */
async function propose(side: 'buy' | 'sell', count: number, units: bigint, amount: bigint): Promise<void> {
  const { timeNs } = await one.chain.node.status();
  const [rights, coins] = side === 'sell' ? [OUT, BACK] : [BACK, OUT];
  const message: JsonObject = {
    '@type': '/aeva.settlement.v1.MsgPropose',
    proposer: user.address,
    counterparty: one.deskAddress,
    legs: [
      ...[0, 1, 2].map((kind_id) => ({
        direction: rights,
        right: { asset_id: one.assetId, kind_id, units: String(units) },
      })),
      { direction: coins, coin: { denom: 'uusd', amount: String(amount) } },
    ],
    expiry: formatTimeNs(timeNs + 3_600_000_000_000n),
  };
  const sent = await user.send(...Array.from({ length: count }, () => message));
  expect(sent).toMatchObject({ code: 0 });
}

const accept = (id: number): JsonObject => ({
  '@type': '/aeva.settlement.v1.MsgAccept',
  counterparty: user.address,
  id: String(id),
});
const settledCount = async () =>
  (await one.settlements()).filter(({ status }) => status === 'STATUS_SETTLED').length;
const rounds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 60));

describe('a pool that is pumped', () => {
  it('gets no quote, no proposal and no acceptance, and the attacker wins nothing', async () => {
    const before = await coinsOf(user.address);
    one.runDesk();
    one.setPool({ mid: WORTH * 5n, mean: WORTH, stableReserve: 95_000n * ONE });
    const [whole] = await one.desk.book.quotes();
    expect([whole?.bid, whole?.ask]).toEqual([null, null]);
    const [standing] = await one.desk.book.standings();
    expect(standing?.closed?.reason).toBe('unsteady_price');
    for (let i = 0; i < 5; i++) {
      const answer = ask('sell', 300n * ONE + BigInt(i), `10.0.0.${i}`);
      await expect(answer).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/more than 5 % off its mean/),
      });
    }
    await propose('sell', 20, 300n * ONE, 4_400n * ONE);
    await eventually(async () => refusals.filter(([door]) => door === 'proposal').length >= 20);
    await rounds(4);
    expect([await settledCount(), await coinsOf(user.address)]).toEqual([0, before]);
    expect([reasons('request'), reasons('proposal')]).toEqual([
      new Set(['unsteady_price']),
      new Set(['unsteady_price']),
    ]);
  });

  it('costs no more than an hour’s value when its mean is captured as well, at both doors together', async () => {
    const [before, held] = [await coinsOf(user.address), await one.units(user.address, 0)];
    one.runDesk();
    // 5 times what it is worth for so long that the mean agrees
    one.setPool({ mid: WORTH * 5n, mean: WORTH * 5n, stableReserve: 95_000n * ONE });
    const proposals: number[] = [];
    for (let i = 0; i < 5; i++) {
      const answer = ask('sell', 100n * ONE + BigInt(i), `10.0.1.${i}`);
      await answer.then(
        ({ settlement_id }) => proposals.push(settlement_id),
        (error: unknown) => expect(error).toMatchObject({ code: 'conflict' }),
      );
    }
    await propose('sell', 20, 100n * ONE, 1_400n * ONE);
    await user.send(...proposals.map(accept));
    // at a bid of 14.7 a trade is 1,470 or 1,400 coins: 2 by request (half of 8,000), then 3 more
    await eventually(async () => (await settledCount()) === 5);
    await rounds(15);
    expect([await settledCount(), proposals.length]).toEqual([5, 2]);
    const paid = (await coinsOf(user.address)) - before;
    const worth = ((held - (await one.units(user.address, 0))) * WORTH) / ONE;
    expect(paid <= RISK.hourlyValue, `${paid}`).toBe(true);
    expect(paid - worth <= RISK.hourlyValue).toBe(true);
    expect([...reasons('request')]).toEqual(['open_proposals']);
    expect([...reasons('proposal')]).toContain('hourly_value');
  });

  it('after a restart finds the caps as used as they were', async () => {
    one.runDesk();
    await propose('sell', 5, 500n * ONE, 1_470n * ONE);
    const rows = () =>
      one.database.selectFrom('desk_trades').select('id').where('status', '=', 'settled').execute();
    await eventually(async () => (await rows()).length === 5);
    const ids: RefusalReason[] = [];
    const again = one.newDesk({ risk: RISK, onRefusal: (_, reason) => void ids.push(reason) });
    // 7,350 of 8,000 are used
    const request = { address: user.address, symbol: 'ORCH', kind: -1, side: 'sell', units: '300000000' };
    await expect(again.rfq(request, '10.0.2.1')).rejects.toMatchObject({
      message: /8,000 of the stable coin an hour/,
    });
    expect(ids).toEqual(['hourly_value']);
  });
});

describe('a pool that is dumped', () => {
  it('costs no more units than a day’s exposure, however low its price', async () => {
    one.runDesk();
    const had = await one.units(one.deskAddress, 0);
    // a hundredth of the price: 8,000 shares are 244.8 coins, and the mean agrees
    one.setPool({ mid: 30_000n, mean: 30_000n, stableReserve: 95_000n * ONE });
    await propose('buy', 20, 8_000n * ONE, 245n * ONE);
    await eventually(async () => (await settledCount()) === 6);
    await rounds(15);
    const given = had - (await one.units(one.deskAddress, 0));
    expect(given).toBe(48_000n * ONE);
    expect(given * 100n <= had * BigInt(RISK.exposurePercent)).toBe(true);
    expect([...reasons('proposal')]).toContain('exposure');
  });
});

describe('the operator', () => {
  it('pauses the desk: no quote, no proposal, no acceptance, and all of it again afterwards', async () => {
    isPaused = true;
    one.runDesk();
    expect(
      (await one.desk.book.quotes()).every(({ bid, ask: sells }) => bid === null && sells === null),
    ).toBe(true);
    await expect(ask('buy', ONE, '10.0.3.1')).rejects.toMatchObject({
      code: 'conflict',
      message: 'the desk is paused by its operator',
    });
    await propose('sell', 1, ONE, ONE);
    await rounds(8);
    expect(await settledCount()).toBe(0);
    isPaused = false;
    await eventually(async () => (await settledCount()) === 1);
    // one for each trade, however many rounds the pause lasts
    expect(refusals).toEqual([
      ['request', 'paused'],
      ['proposal', 'paused'],
    ]);
  });
});
