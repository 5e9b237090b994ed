import fc from 'fast-check';
import { ChainError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { describe, expect, it } from 'vitest';
import { supplyOf } from '../../src/modules/bank/keeper.ts';
import {
  ADA,
  AUTHORITY,
  BEN,
  BYTES,
  CLEO,
  createDeals,
  type Deals,
  ISSUER,
  issue,
  OPERATOR,
  RELAYER,
  RELEASER,
} from '../support/deals.ts';

/**
 * Any sequence of messages and blocks leaves the invariants of every module whole (`send` and `endBlock` ask for them):
 * locks are what open records hold, escrows what went out and has not come back, module accounts what is pending.
 */

const PEOPLE = [ADA, BEN, CLEO, ISSUER];
const REMOTE = `0x${'cd'.repeat(32)}`;
const SECOND = 1_000_000_000n;

interface Step {
  readonly what: number;
  readonly a: number;
  readonly b: number;
  readonly n: number;
  readonly flag: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.nat(),
  a: fc.nat(3),
  b: fc.nat(3),
  n: fc.integer({ min: 1, max: 60 }),
  flag: fc.boolean(),
});

/** A message by a step; the deals tell what there is. */
type Make = (deals: Deals, step: Step) => readonly [message: string, fields: JsonObject];

const person = (i: number): string => PEOPLE[i % PEOPLE.length] ?? ADA;
const asset = ({ assetId }: Deals, i: number) => ({ asset_id: assetId, kind_id: i % 3 });
const later = ({ context }: Deals, seconds: number) =>
  formatTimeNs(context.timeNs + BigInt(seconds) * SECOND);
const right = (deals: Deals, i: number, units: number) => ({
  right: { ...asset(deals, i), units: String(units) },
});
const coins = (amount: number) => ({ coin: { denom: 'uusd', amount: String(amount) } });

let messages = 0;

const MAKES: readonly Make[] = [
  (deals, { a, b, n, flag }) => [
    'settlement.MsgPropose',
    {
      proposer: person(a),
      counterparty: person(b),
      legs: [
        { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', ...right(deals, b, n) },
        { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', ...(flag ? coins(n) : right(deals, b, 1)) },
        { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', ...(flag ? right(deals, a, 2) : coins(n)) },
      ],
      expiry: later(deals, n),
      memo_hash: BYTES,
    },
  ],
  (_, { a, n }) => ['settlement.MsgAccept', { counterparty: person(a), id: String(1 + (n % 4)) }],
  (_, { a, n }) => ['settlement.MsgCancel', { actor: person(a), id: String(1 + (n % 4)) }],
  (deals, { a, b, n, flag }) => [
    'encumbrance.MsgCreate',
    {
      actor: person(a),
      kind: 'KIND_PLEDGE',
      ...asset(deals, b),
      holder: person(a),
      units: String(n),
      beneficiary: person(b),
      income_to_beneficiary: flag,
      exercisable: true,
      holder_release_after: later(deals, n),
      expiry: n % 2 === 0 ? later(deals, 3 * n) : null,
    },
  ],
  (deals, { a, b, n }) => [
    'encumbrance.MsgCreate',
    {
      actor: OPERATOR,
      kind: 'KIND_LIEN',
      ...asset(deals, b),
      holder: person(a),
      units: String(n),
      beneficiary: person(b),
      exercisable: true,
      evidence_hash: BYTES,
    },
  ],
  (_, { a, n, flag }) => [
    'encumbrance.MsgRelease',
    { actor: n % 5 === 0 ? RELEASER : person(a), id: String(1 + (n % 4)), units: flag ? '' : String(n % 7) },
  ],
  (_, { a, n }) => ['encumbrance.MsgExercise', { actor: person(a), id: String(1 + (n % 4)) }],
  (deals, { a, b, n, flag }) => [
    'delegation.MsgDelegate',
    {
      holder: person(a),
      ...asset(deals, b),
      units: String(n),
      delegate: person(b),
      until: later(deals, n),
      purposes: ['PURPOSE_VOTE'],
      revocable: flag,
    },
  ],
  (_, { a, n }) => ['delegation.MsgRevoke', { holder: person(a), id: String(1 + (n % 4)) }],
  (_, { a, n }) => ['delegation.MsgReturn', { delegate: person(a), id: String(1 + (n % 4)) }],
  (_, { a, b, n }) => [
    'bridge.MsgTransferOut',
    { sender: person(a), route_id: ROUTES[b] ?? '', recipient: REMOTE, amount: String(n) },
  ],
  (_, { a, b, n }) => [
    'bridge.MsgReceiveIn',
    {
      relayer: RELAYER,
      route_id: ROUTES[b] ?? '',
      sender: REMOTE,
      recipient: person(a),
      amount: String(n),
      message_id: `0x${String(++messages).padStart(64, '0')}`,
    },
  ],
  (_, { b, n, flag }) => [
    'bridge.MsgSetLimits',
    {
      authority: AUTHORITY,
      route_id: ROUTES[b] ?? '',
      outbound_limit: String(2 * n),
      inbound_limit: String(2 * n),
      window_seconds: flag ? '0' : String(n),
    },
  ],
  (deals, { a, b, n }) => [
    'payout.MsgDistribute',
    { payer: person(a), ...asset(deals, b), amount: { denom: 'uusd', amount: String(n) } },
  ],
  (deals, { a, b, n, flag }) => [
    'payout.MsgClaim',
    {
      claimant: person(a),
      ...asset(deals, b),
      denom: 'uusd',
      ref: flag ? '' : `encumbrance/${1 + (n % 4)}`,
    },
  ],
  (deals, { a, b, n }) => [
    'rights.MsgTransfer',
    { from: person(a), ...asset(deals, a), to: person(b), units: String(n) },
  ],
];

const ROUTES = ['bundle', 'native', 'right', 'synthetic'];

/** What happens once the liquidation has begun. */
const LATE: readonly Make[] = [
  (deals, { a, n }) => [
    'waterfall.MsgFund',
    { payer: person(a), asset_id: deals.assetId, amount: { denom: 'uusd', amount: String(n) } },
  ],
  (deals, { a, b, n }) => [
    'waterfall.MsgRedeemPool',
    { holder: person(a), ...asset(deals, b), units: String(n) },
  ],
];

function start(): Deals {
  const deals = createDeals();
  for (const holder of [BEN, CLEO]) for (const kindId of [0, 1, 2]) issue(deals, holder, kindId, '90');
  const route = {
    authority: AUTHORITY,
    remote_domain: 1,
    remote_contract: REMOTE,
    window_seconds: '20',
    outbound_limit: '90',
    inbound_limit: '90',
  };
  const of = { direction: 'DIRECTION_RIGHT_OUT', asset_id: deals.assetId };
  const native = { direction: 'DIRECTION_NATIVE_OUT', local_denom: 'uusd' };
  const synthetic = { direction: 'DIRECTION_SYNTHETIC_IN', local_denom: 'ueth' };
  const subjects = { bundle: { ...of, bundle: true }, native, right: { ...of, kind_id: 2 }, synthetic };
  for (const [route_id, subject] of Object.entries<JsonObject>(subjects))
    deals.send('bridge.MsgCreateRoute', { ...route, ...subject, route_id });
  return deals;
}

/** Counts what succeeded, by message. */
function run(deals: Deals, makes: readonly Make[], steps: readonly Step[], done: Map<string, number>): void {
  const before = supplyOf(deals.context.state, 'uusd');
  for (const each of steps) {
    const make = makes[each.what % makes.length];
    if (make === undefined) continue;
    const [message, fields] = make(deals, each);
    try {
      deals.send(message, fields);
      done.set(message, (done.get(message) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
    if (each.n % 4 !== 0) continue;
    deals.context.timeNs += BigInt(each.n % 5) * SECOND;
    deals.context.height += each.n;
    deals.endBlock();
  }
  expect(supplyOf(deals.context.state, 'uusd')).toBe(before);
}

/** Ends everything that has an end and lets everything out: nothing may stay locked. */
function openLocks(deals: Deals): string[] {
  deals.context.timeNs += 1_000_000n * SECOND;
  deals.endBlock();
  const { encumbrances } = deals.query('encumbrance.Export', {});
  for (const { id, status } of encumbrances as unknown as JsonObject[])
    if (status === 'STATUS_ACTIVE')
      deals.send('encumbrance.MsgRelease', { actor: RELEASER, id: String(id), units: '' });
  return [0, 1, 2].flatMap((kind_id) => {
    const totals = deals.query('rights.Totals', { asset_id: deals.assetId, kind_id });
    return totals.encumbered === '0' ? [] : [`kind ${kind_id}: ${totals.encumbered}`];
  });
}

describe('any sequence of deals', () => {
  it('keeps the invariants, before and in a liquidation', () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 20, maxLength: 60 }),
        fc.array(step, { maxLength: 40 }),
        (steps, late) => {
          const deals = start();
          run(deals, MAKES, steps, done);
          deals.send('waterfall.MsgSetWaterfall', {
            issuer: ISSUER,
            asset_id: deals.assetId,
            tiers: [
              { tier: 1, kind_id: 1, cap: '30' },
              { tier: 2, kind_id: 0, cap: '50' },
              { tier: 3, kind_id: 1, cap: '60' },
            ],
          });
          const begin = { initiator: OPERATOR, asset_id: deals.assetId, denom: '' };
          deals.send('waterfall.MsgBeginLiquidation', begin);
          run(deals, [...LATE, ...LATE, ...LATE, ...LATE, ...MAKES], late, done);
          expect(deals.invariants()).toEqual([]);
          expect(openLocks(deals)).toEqual([]);
        },
      ),
      { numRuns: 60, seed: 20_260_101 },
    );
    // the sequences did something: each message has succeeded
    const every = [...MAKES, ...LATE].map(
      (make) => make(start(), { what: 0, a: 0, b: 1, n: 1, flag: true })[0],
    );
    expect([...done.keys()].sort()).toEqual([...new Set(every)].sort());
  });
});
