import type { JsonObject } from 'strata-kit/proto-json';
import { beforeEach, describe, expect, it } from 'vitest';
import { moduleAddress } from '../../src/modules/bank/keeper.ts';
import { PARAMETERS } from '../support/context.ts';
import { ADA, BEN, CLEO, createDeals, type Deals, moment } from '../support/deals.ts';

/** Rule 9 of modules.md. */

let deals: Deals;
beforeEach(() => {
  deals = createDeals();
});

/** 70 units of kind 2 (VOTE) from Ada to Ben until 01:00, unless told otherwise. */
function terms(change: JsonObject = {}): JsonObject {
  return {
    holder: ADA,
    asset_id: deals.assetId,
    kind_id: 2,
    units: '70',
    delegate: BEN,
    until: moment('01:00:00'),
    purposes: ['PURPOSE_INCOME', 'PURPOSE_VOTE'],
    revocable: true,
    ...change,
  };
}

const delegate = (change: JsonObject = {}) => deals.send('delegation.MsgDelegate', terms(change));

describe('a delegation', () => {
  it('locks its units and routes no income', () => {
    expect(delegate({ kind_id: 0 })).toEqual({ id: '1' });
    const { assetId } = deals;
    expect(deals.events()).toEqual([
      {
        type: 'rights.EventLocked',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          ref: 'delegation/1',
          units: '70',
          locked_after: '70',
        },
      },
      { type: 'delegation.EventDelegated', fields: { id: '1', ...terms({ kind_id: 0 }) } },
    ]);
    deals.send('payout.MsgDistribute', {
      payer: CLEO,
      asset_id: assetId,
      kind_id: 0,
      amount: { denom: 'uusd', amount: '150' },
    });
    const claim = { claimant: ADA, asset_id: assetId, kind_id: 0, denom: 'uusd', ref: '' };
    expect(deals.send('payout.MsgClaim', claim)).toEqual({ amount: '100' });
  });

  const ended = (reason: string) => [
    {
      type: 'rights.EventUnlocked',
      fields: {
        asset_id: deals.assetId,
        kind_id: 2,
        holder: ADA,
        ref: 'delegation/1',
        units: '70',
        locked_after: '0',
      },
    },
    {
      type: 'delegation.EventEnded',
      fields: { id: '1', asset_id: deals.assetId, kind_id: 2, holder: ADA, delegate: BEN, reason },
    },
  ];

  it('is revoked by its holder, where revocable', () => {
    delegate();
    delegate({ units: '1', revocable: false });
    deals.events();
    const refused = (holder: string, id: string) => deals.refused('delegation.MsgRevoke', { holder, id });
    expect(refused(BEN, '1')).toMatch(/^delegation\/6: /);
    expect(refused(ADA, '2')).toMatch(/^delegation\/5: /);
    expect(refused(ADA, '3')).toMatch(/^delegation\/3: /);
    deals.send('delegation.MsgRevoke', { holder: ADA, id: '1' });
    expect(deals.events()).toEqual(ended('END_REASON_REVOKED'));
    expect(refused(ADA, '1')).toMatch(/^delegation\/4: /);
  });

  it('is returned by its delegate', () => {
    delegate({ revocable: false });
    deals.events();
    expect(deals.refused('delegation.MsgReturn', { delegate: ADA, id: '1' })).toMatch(/^delegation\/6: /);
    deals.send('delegation.MsgReturn', { delegate: BEN, id: '1' });
    expect(deals.events()).toEqual(ended('END_REASON_RETURNED'));
  });

  it('ends by itself when the block’s time has reached `until`, in the order of ids', () => {
    delegate();
    delegate({ units: '1', until: moment('00:30:00') });
    deals.events();
    deals.at('00:29:59.999999999');
    deals.endBlock();
    expect(deals.events()).toEqual([]);
    deals.at('01:00:00');
    deals.endBlock();
    const events = deals.events();
    expect(events.slice(0, 2)).toEqual(ended('END_REASON_EXPIRED'));
    expect(events[3]?.fields).toMatchObject({ id: '2', reason: 'END_REASON_EXPIRED' });
    expect(deals.query('delegation.Delegation', { id: '2' }).delegation).toMatchObject({
      ended: 'END_REASON_EXPIRED',
    });
  });

  it.each<[string, number, JsonObject]>([
    ['no units', 2, { units: '0' }],
    ['a holder who is the delegate', 2, { delegate: ADA }],
    ['an end that has come', 2, { until: moment('00:00:00') }],
    ['no end', 2, { until: null }],
    ['no purpose', 2, { purposes: [] }],
    ['a purpose twice', 2, { purposes: ['PURPOSE_VOTE', 'PURPOSE_VOTE'] }],
    ['an unspecified purpose', 2, { purposes: ['PURPOSE_UNSPECIFIED'] }],
    ['an unknown asset', 7, { asset_id: 'ab'.repeat(32) }],
    ['an unknown kind of the asset', 7, { kind_id: 3 }],
    ['more than the holder has', 9, { units: '101' }],
    ['a delegate of the chain’s own', 13, { delegate: moduleAddress(PARAMETERS, 'bridge') }],
  ])('refuses %s', (_, code, change) => {
    expect(deals.refused('delegation.MsgDelegate', terms(change))).toMatch(
      new RegExp(`^delegation/${code}: `),
    );
  });
});
