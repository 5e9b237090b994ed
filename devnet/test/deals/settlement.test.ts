import type { JsonObject } from 'strata-kit/proto-json';
import { beforeEach, describe, expect, it } from 'vitest';
import { moduleAddress } from '../../src/modules/bank/keeper.ts';
import { PARAMETERS } from '../support/context.ts';
import {
  ADA,
  BEN,
  BYTES,
  CLEO,
  createDeals,
  type Deals,
  ISSUER,
  moment,
  OPERATOR,
  STRANGER,
} from '../support/deals.ts';

/** Rule 6 of modules.md, with figures reckoned by hand. */

const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const BACK = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';
const ACCOUNT = moduleAddress(PARAMETERS, 'settlement');

let deals: Deals;
beforeEach(() => {
  deals = createDeals();
});

const right = (direction: string, kindId: number, units: string): JsonObject => ({
  direction,
  right: { asset_id: deals.assetId, kind_id: kindId, units },
});
const coin = (direction: string, amount: string, denom = 'uusd'): JsonObject => ({
  direction,
  coin: { denom, amount },
});

function proposal(legs: readonly JsonObject[], change: JsonObject = {}): JsonObject {
  return { proposer: ADA, counterparty: BEN, legs, expiry: moment('00:10:00'), memo_hash: BYTES, ...change };
}

function propose(legs: readonly JsonObject[], change: JsonObject = {}): string {
  return String(deals.send('settlement.MsgPropose', proposal(legs, change)).id);
}

describe('a settlement of rights against coins', () => {
  // Ada gives 10 + 15 of kind 0, 5 of kind 1 and 40 uusd; Ben gives 20 of kind 0 and 300 uusd
  const legs = () => [
    right(OUT, 0, '10'),
    right(OUT, 1, '5'),
    right(OUT, 0, '15'),
    coin(OUT, '40'),
    right(BACK, 0, '20'),
    coin(BACK, '300'),
  ];

  it('holds the proposer’s side, with one lock a kind', () => {
    expect(propose(legs())).toBe('1');
    const { assetId } = deals;
    expect(deals.events()).toEqual([
      {
        type: 'rights.EventLocked',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          ref: 'settlement/1',
          units: '25',
          locked_after: '25',
        },
      },
      {
        type: 'rights.EventLocked',
        fields: {
          asset_id: assetId,
          kind_id: 1,
          holder: ADA,
          ref: 'settlement/1',
          units: '5',
          locked_after: '5',
        },
      },
      {
        type: 'settlement.EventProposed',
        fields: {
          id: '1',
          proposer: ADA,
          counterparty: BEN,
          legs: legs(),
          expiry: '2026-01-01T00:10:00Z',
          memo_hash: BYTES,
        },
      },
    ]);
    expect([deals.coins(ADA), deals.coins(BEN), deals.coins(ACCOUNT)]).toEqual([960n, 1000n, 40n]);
  });

  it('moves all legs in one block, one EventTransferred a kind and direction', () => {
    propose(legs());
    deals.events();
    deals.at('00:09:59');
    deals.send('settlement.MsgAccept', { counterparty: BEN, id: '1' });
    const { assetId } = deals;
    const unlocked = (kind_id: number, units: string) => ({
      type: 'rights.EventUnlocked',
      fields: { asset_id: assetId, kind_id, holder: ADA, ref: 'settlement/1', units, locked_after: '0' },
    });
    const moved = (kind_id: number, from: string, to: string, units: string, after: [string, string]) => ({
      type: 'rights.EventTransferred',
      fields: {
        asset_id: assetId,
        kind_id,
        from,
        to,
        units,
        from_units_after: after[0],
        to_units_after: after[1],
      },
    });
    expect(deals.events()).toEqual([
      unlocked(0, '25'),
      unlocked(1, '5'),
      moved(0, ADA, BEN, '25', ['75', '75']),
      moved(1, ADA, BEN, '5', ['95', '5']),
      moved(0, BEN, ADA, '20', ['55', '95']),
      {
        type: 'settlement.EventSettled',
        fields: { id: '1', proposer: ADA, counterparty: BEN, asset_ids: [assetId] },
      },
    ]);
    expect([deals.coins(ADA), deals.coins(BEN), deals.coins(ACCOUNT)]).toEqual([1260n, 740n, 0n]);
    expect([deals.has(ADA, 0), deals.has(ADA, 1), deals.has(BEN, 0), deals.has(BEN, 1)]).toEqual([
      95n,
      95n,
      55n,
      5n,
    ]);
  });

  it('leaves the income of locked units with the proposer', () => {
    propose([right(OUT, 0, '100'), coin(BACK, '1')]);
    // 150 units, of which Ada has 100: she gets 200 of 300
    deals.send('payout.MsgDistribute', {
      payer: CLEO,
      asset_id: deals.assetId,
      kind_id: 0,
      amount: { denom: 'uusd', amount: '300' },
    });
    deals.send('settlement.MsgAccept', { counterparty: BEN, id: '1' });
    const claim = { claimant: ADA, asset_id: deals.assetId, kind_id: 0, denom: 'uusd', ref: '' };
    expect(deals.send('payout.MsgClaim', claim)).toEqual({ amount: '200' });
  });

  it.each([
    [ADA, 'the proposer'],
    [BEN, 'the counterparty'],
  ])('is cancelled by %s, %s, who gets everything back', (actor) => {
    propose(legs());
    deals.events();
    deals.send('settlement.MsgCancel', { actor, id: '1' });
    expect(deals.events().map(({ type }) => type)).toEqual([
      'rights.EventUnlocked',
      'rights.EventUnlocked',
      'settlement.EventCancelled',
    ]);
    expect([deals.coins(ADA), deals.has(ADA, 0), deals.has(ADA, 1)]).toEqual([1000n, 100n, 100n]);
    expect(deals.query('settlement.Settlement', { id: '1' }).settlement).toMatchObject({
      status: 'STATUS_CANCELLED',
      cancel_reason: '',
    });
  });

  it('names every asset once, and none for coins alone', () => {
    propose([coin(OUT, '1'), coin(BACK, '2')]);
    deals.send('settlement.MsgAccept', { counterparty: BEN, id: '1' });
    expect(deals.events().at(-1)?.fields).toEqual({
      id: '1',
      proposer: ADA,
      counterparty: BEN,
      asset_ids: [],
    });
  });
});

describe('the expiry', () => {
  it('sweeps in the order of ids once the block’s time has reached it', () => {
    propose([coin(OUT, '1')], { expiry: moment('00:05:00') });
    propose([right(OUT, 0, '2')], { expiry: moment('00:04:00') });
    propose([coin(OUT, '3')], { expiry: '2026-01-01T00:05:00.000000001Z' });
    deals.events();
    deals.at('00:03:59.999999999');
    deals.endBlock();
    expect(deals.events()).toEqual([]);
    deals.at('00:05:00');
    deals.endBlock();
    expect(deals.events().map(({ type, fields }) => [type, fields.id ?? fields.ref])).toEqual([
      ['settlement.EventExpired', '1'],
      ['rights.EventUnlocked', 'settlement/2'],
      ['settlement.EventExpired', '2'],
    ]);
    expect([deals.coins(ADA), deals.coins(ACCOUNT)]).toEqual([997n, 3n]);
  });

  it('refuses to accept at the expiry itself, and still cancels', () => {
    propose([coin(OUT, '1')]);
    deals.at('00:10:00');
    expect(deals.refused('settlement.MsgAccept', { counterparty: BEN, id: '1' })).toBe(
      'settlement/5: settlement 1 has expired',
    );
    deals.send('settlement.MsgCancel', { actor: ADA, id: '1' });
    deals.endBlock();
    expect(deals.refused('settlement.MsgCancel', { actor: ADA, id: '1' })).toBe(
      'settlement/4: settlement 1 is STATUS_CANCELLED',
    );
  });
});

describe('refused of a proposal', () => {
  const code = (legs: readonly JsonObject[], change: JsonObject = {}) =>
    deals.refused('settlement.MsgPropose', proposal(legs, change)).split(': ')[0];

  it('without legs, with itself, or at an expiry that is not after the block', () => {
    expect(code([])).toBe('settlement/2');
    expect(code([coin(OUT, '1')], { counterparty: ADA })).toBe('settlement/2');
    expect(code([coin(OUT, '1')], { expiry: moment('00:00:00') })).toBe('settlement/2');
  });

  it('with malformed fields', () => {
    expect(code([coin(OUT, '0')])).toBe('settlement/2');
    expect(code([right(OUT, 0, '0')])).toBe('settlement/2');
    expect(code([{ direction: OUT }])).toBe('settlement/2');
    expect(code([coin('DIRECTION_UNSPECIFIED', '1')])).toBe('settlement/2');
    expect(code([coin(OUT, String(1n << 255n))])).toBe('settlement/2');
    expect(code([coin(BACK, String((1n << 255n) - 1n)), coin(BACK, '1')])).toBe('settlement/2');
    expect(code([coin(OUT, '1')], { memo_hash: 'AAAA' })).toBe('settlement/2');
    expect(code(Array.from({ length: 65 }, () => coin(BACK, '1')))).toBe('settlement/2');
  });

  it('of unknown assets and kinds', () => {
    const asset_id = 'ab'.repeat(32);
    expect(code([{ direction: BACK, right: { asset_id, kind_id: 0, units: '1' } }])).toBe('settlement/7');
    expect(code([right(BACK, 3, '1')])).toBe('settlement/7');
  });

  it('of more than the proposer has unlocked', () => {
    propose([right(OUT, 0, '60')]);
    expect(code([right(OUT, 0, '20'), right(OUT, 0, '21')])).toBe('settlement/9');
    expect(code([coin(OUT, '600'), coin(OUT, '401')])).toBe('settlement/10');
  });

  it('to an account of the chain’s own', () => {
    expect(code([coin(OUT, '1')], { counterparty: ACCOUNT })).toBe('settlement/13');
  });
});

describe('refused of an accept', () => {
  const refused = (counterparty = BEN) => deals.refused('settlement.MsgAccept', { counterparty, id: '1' });

  it('of no settlement, or by another than the counterparty', () => {
    expect(refused()).toBe('settlement/3: no settlement 1');
    propose([coin(OUT, '1')]);
    expect(refused(STRANGER)).toMatch(/^settlement\/6: /);
    expect(refused(ADA)).toMatch(/^settlement\/6: /);
    expect(deals.refused('settlement.MsgCancel', { actor: STRANGER, id: '1' })).toMatch(/^settlement\/6: /);
  });

  it('when the counterparty lacks a leg, and nothing moves', () => {
    propose([right(OUT, 0, '10'), right(BACK, 0, '51')]);
    expect(refused()).toMatch(/^settlement\/9: /);
    deals.send('settlement.MsgCancel', { actor: ADA, id: '1' });
    propose([right(OUT, 0, '10'), coin(BACK, '1001')]);
    expect(deals.refused('settlement.MsgAccept', { counterparty: BEN, id: '2' })).toMatch(
      /^settlement\/10: /,
    );
    expect([deals.has(ADA, 0), deals.has(BEN, 0), deals.coins(BEN)]).toEqual([100n, 50n, 1000n]);
  });

  it('by the kind’s flag and by the policy, of either direction', () => {
    const { assetId } = deals;
    propose([right(OUT, 0, '10'), right(BACK, 0, '1')]);
    const kind = { issuer: ISSUER, asset_id: assetId, kind_id: 0, multiplier: '1', bridgeable: true };
    deals.send('asset.MsgUpdateKind', { ...kind, transferable: false });
    expect(refused()).toMatch(/^settlement\/11: /);
    deals.send('asset.MsgUpdateKind', { ...kind, transferable: true });
    const policy = { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc'], attesters: [OPERATOR] };
    deals.send('asset.MsgSetPolicy', { issuer: ISSUER, asset_id: assetId, policy });
    const denied = `settlement/12: policy denied: asset/${assetId}/kind/0/ATTESTED/kyc/recipient`;
    expect(refused()).toBe(denied);
    const attested = (subject: string) =>
      deals.send('attestation.MsgAttest', {
        attester: OPERATOR,
        subject,
        type: 'kyc',
        expiry: moment('23:00:00'),
      });
    attested(BEN);
    expect(refused()).toBe(denied);
    attested(ADA);
    deals.send('settlement.MsgAccept', { counterparty: BEN, id: '1' });
  });

  it('as often as it is sent again', () => {
    propose([coin(OUT, '1')]);
    deals.send('settlement.MsgAccept', { counterparty: BEN, id: '1' });
    expect(refused()).toBe('settlement/4: settlement 1 is STATUS_SETTLED');
  });
});
