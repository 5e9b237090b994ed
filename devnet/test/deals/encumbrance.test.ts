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
  RELEASER,
  STRANGER,
} from '../support/deals.ts';

/** Rules 4 and 7 of modules.md, with figures reckoned by hand. */

let deals: Deals;
beforeEach(() => {
  deals = createDeals();
});

/** A pledge of 60 units of kind 0 by Ada in favour of Cleo, unless told otherwise. */
function terms(change: JsonObject = {}): JsonObject {
  return {
    actor: ADA,
    kind: 'KIND_PLEDGE',
    asset_id: deals.assetId,
    kind_id: 0,
    holder: ADA,
    units: '60',
    beneficiary: CLEO,
    ...change,
  };
}

const create = (change: JsonObject = {}) => String(deals.send('encumbrance.MsgCreate', terms(change)).id);
const release = (actor: string, units = '', id = '1') =>
  deals.send('encumbrance.MsgRelease', { actor, id, units });
const exercise = (actor = CLEO, id = '1') => deals.send('encumbrance.MsgExercise', { actor, id });
const lockup = (change: JsonObject = {}) => ({ kind: 'KIND_LOCKUP', beneficiary: '', ...change });
const lien = (change: JsonObject = {}) => ({
  kind: 'KIND_LIEN',
  actor: OPERATOR,
  evidence_hash: BYTES,
  ...change,
});

function distribute(amount: string): unknown {
  deals.events();
  deals.send('payout.MsgDistribute', {
    payer: CLEO,
    asset_id: deals.assetId,
    kind_id: 0,
    amount: { denom: 'uusd', amount },
  });
  const { new_index, carry_scaled } = deals.events()[0]?.fields ?? {};
  return [new_index, carry_scaled];
}

function claim(claimant: string, ref = ''): unknown {
  const message = { claimant, asset_id: deals.assetId, kind_id: 0, denom: 'uusd', ref };
  return deals.send('payout.MsgClaim', message).amount;
}

describe('an income pledge', () => {
  // supply 150: Ada 100, of which she pledges 60 to Cleo, and Ben 50
  it('pays its beneficiary, is released in part and exercised for the rest', () => {
    const { assetId } = deals;
    create({ income_to_beneficiary: true, exercisable: true, expiry: moment('01:00:00') });
    expect(deals.events()).toEqual([
      {
        type: 'rights.EventLocked',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          ref: 'encumbrance/1',
          units: '60',
          locked_after: '60',
        },
      },
      {
        type: 'encumbrance.EventCreated',
        fields: {
          id: '1',
          kind: 'KIND_PLEDGE',
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          units: '60',
          beneficiary: CLEO,
          income_to_beneficiary: true,
          holder_release_after: null,
          exercisable: true,
          expiry: '2026-01-01T01:00:00Z',
          evidence_hash: '',
          actor: ADA,
          actor_role: 'holder',
        },
      },
    ]);

    // 2 a unit: Ada's 40 earn 80, the pledged 60 earn 120, Ben's 50 earn 100
    expect(distribute('300')).toEqual(['2000000000000000000', '0']);
    release(CLEO, '20');
    expect(deals.events()).toEqual([
      {
        type: 'rights.EventUnlocked',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          ref: 'encumbrance/1',
          units: '20',
          locked_after: '40',
        },
      },
      {
        type: 'encumbrance.EventReleased',
        fields: {
          id: '1',
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          beneficiary: CLEO,
          units: '20',
          remaining_units: '40',
          actor: CLEO,
          actor_role: 'beneficiary',
        },
      },
    ]);

    // 2/3 a unit: Ada's 60 earn 39.99… = 39, the pledged 40 earn 26
    expect(distribute('100')).toEqual(['2666666666666666666', '100']);
    exercise();
    expect(deals.events()).toEqual([
      {
        type: 'rights.EventUnlocked',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          ref: 'encumbrance/1',
          units: '40',
          locked_after: '0',
        },
      },
      {
        type: 'encumbrance.EventExercised',
        fields: {
          id: '1',
          asset_id: assetId,
          kind_id: 0,
          holder: ADA,
          beneficiary: CLEO,
          units: '40',
          actor: CLEO,
          actor_role: 'beneficiary',
        },
      },
      {
        type: 'rights.EventTransferred',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          from: ADA,
          to: CLEO,
          units: '40',
          from_units_after: '60',
          to_units_after: '40',
        },
      },
    ]);

    // 1 a unit: Ada's 60 earn 60, Cleo's own 40 earn 40; Ben was never touched: 50 · 3.66… = 183
    expect(distribute('150')).toEqual(['3666666666666666666', '100']);
    expect([claim(ADA), claim(CLEO, 'encumbrance/1'), claim(CLEO), claim(BEN)]).toEqual([
      '179',
      '146',
      '40',
      '183',
    ]);
    expect(deals.query('encumbrance.Encumbrance', { id: '1' }).encumbrance).toMatchObject({
      units: '0',
      status: 'STATUS_EXERCISED',
    });
  });

  it('gives its income back to the holder when it expires', () => {
    create({ income_to_beneficiary: true, expiry: moment('01:00:00') });
    distribute('150');
    deals.at('01:00:00');
    deals.endBlock();
    expect(deals.events().map(({ type, fields }) => [type, fields.units, fields.actor])).toEqual([
      ['rights.EventUnlocked', '60', undefined],
      ['encumbrance.EventExpired', '60', undefined],
    ]);
    distribute('150');
    expect([claim(ADA), claim(CLEO, 'encumbrance/1')]).toEqual(['140', '60']);
  });
});

describe('who makes one, and in which role', () => {
  const role = (change: JsonObject) => {
    create(change);
    return deals.events().at(-1)?.fields.actor_role;
  };

  it('a pledge: the holder', () => {
    expect(role({})).toBe('holder');
    expect(deals.refused('encumbrance.MsgCreate', terms({ actor: ISSUER }))).toMatch(/^encumbrance\/6: /);
  });

  it('a lien: the operator, where liens are allowed, with evidence', () => {
    expect(role(lien())).toBe('operator');
    for (const actor of [ADA, ISSUER])
      expect(deals.refused('encumbrance.MsgCreate', terms(lien({ actor })))).toMatch(/^encumbrance\/6: /);
    expect(deals.refused('encumbrance.MsgCreate', terms(lien({ evidence_hash: '' })))).toMatch(
      /^encumbrance\/15: /,
    );
    deals.send('asset.MsgUpdateAsset', { issuer: ISSUER, asset_id: deals.assetId, liens_allowed: false });
    expect(deals.refused('encumbrance.MsgCreate', terms(lien()))).toMatch(/^encumbrance\/14: /);
  });

  it('a lockup: the holder before the issuer', () => {
    expect(role(lockup({ units: '10' }))).toBe('holder');
    expect(role(lockup({ units: '10', actor: ISSUER }))).toBe('issuer');
    deals.send('rights.MsgIssue', {
      issuer: ISSUER,
      asset_id: deals.assetId,
      kind_id: 0,
      recipient: ISSUER,
      units: '10',
    });
    expect(role(lockup({ units: '10', actor: ISSUER, holder: ISSUER }))).toBe('holder');
    expect(deals.refused('encumbrance.MsgCreate', terms(lockup({ actor: OPERATOR })))).toMatch(
      /^encumbrance\/6: /,
    );
  });

  it('a lien of an operator who is the issuer too is the operator’s, a lockup the issuer’s', () => {
    const roles = { operator: ISSUER, releaser: '' };
    deals.send('asset.MsgSetRoles', { issuer: ISSUER, asset_id: deals.assetId, roles });
    expect(role(lien({ actor: ISSUER, units: '10' }))).toBe('operator');
    expect(role(lockup({ actor: ISSUER, units: '10' }))).toBe('issuer');
  });
});

describe('who releases one, and in which role', () => {
  it('the beneficiary, the releaser, and the holder after the time', () => {
    create({ holder_release_after: moment('00:30:00') });
    deals.events();
    const role = (actor: string) => {
      release(actor, '1');
      return deals.events().at(-1)?.fields.actor_role;
    };
    const refused = (actor: string) =>
      deals.refused('encumbrance.MsgRelease', { actor, id: '1', units: '1' });
    expect([role(CLEO), role(RELEASER)]).toEqual(['beneficiary', 'releaser']);
    for (const actor of [STRANGER, ISSUER, OPERATOR]) expect(refused(actor)).toMatch(/^encumbrance\/6: /);
    deals.at('00:30:00');
    expect(refused(ADA)).toMatch(/^encumbrance\/16: /);
    deals.at('00:30:00.000000001');
    expect(role(ADA)).toBe('holder');
  });

  it('the holder never without a time, but as releaser, and the beneficiary first', () => {
    create(lockup());
    expect(deals.refused('encumbrance.MsgRelease', { actor: ADA, id: '1', units: '' })).toMatch(
      /^encumbrance\/16: /,
    );
    create({ units: '40' });
    for (const releaser of [ADA, CLEO]) {
      const roles = { operator: OPERATOR, releaser };
      deals.send('asset.MsgSetRoles', { issuer: ISSUER, asset_id: deals.assetId, roles });
      release(releaser, '1', '2');
    }
    const roles = deals.events().flatMap(({ fields }) => fields.actor_role ?? []);
    expect(roles.slice(-2)).toEqual(['releaser', 'beneficiary']);
  });

  it('all that is left without units, no more than that, and once', () => {
    create();
    const refused = (units: string) =>
      deals.refused('encumbrance.MsgRelease', { actor: CLEO, id: '1', units });
    expect(refused('61')).toMatch(/^encumbrance\/2: /);
    expect(refused('0')).toMatch(/^encumbrance\/2: /);
    release(CLEO, '15');
    deals.events();
    release(CLEO);
    expect(deals.events().at(-1)?.fields).toMatchObject({ units: '45', remaining_units: '0' });
    expect(refused('1')).toBe('encumbrance/4: encumbrance 1 is STATUS_RELEASED');
    expect(deals.refused('encumbrance.MsgRelease', { actor: CLEO, id: '9', units: '' })).toBe(
      'encumbrance/3: no encumbrance 9',
    );
  });
});

describe('an exercise', () => {
  const refused = (actor: string, id = '1') => deals.refused('encumbrance.MsgExercise', { actor, id });

  it('is the beneficiary’s, where exercisable, before the expiry', () => {
    create({ units: '10', exercisable: true, expiry: moment('01:00:00') });
    create({ units: '10' });
    expect(refused(ADA)).toMatch(/^encumbrance\/6: /);
    expect(refused(CLEO, '2')).toMatch(/^encumbrance\/17: /);
    deals.at('01:00:00');
    expect(refused(CLEO)).toMatch(/^encumbrance\/5: /);
    deals.at('00:59:59.999999999');
    exercise();
    expect(deals.has(CLEO, 0)).toBe(10n);
  });

  it('heeds neither the policy nor the kind’s flag', () => {
    create(lien({ exercisable: true }));
    const policy = { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] };
    deals.send('asset.MsgSetPolicy', { issuer: ISSUER, asset_id: deals.assetId, policy });
    deals.send('asset.MsgUpdateKind', {
      issuer: ISSUER,
      asset_id: deals.assetId,
      kind_id: 0,
      transferable: false,
      multiplier: '1',
      bridgeable: false,
    });
    exercise();
    expect([deals.has(ADA, 0), deals.has(CLEO, 0)]).toEqual([40n, 60n]);
  });
});

describe('the expiry', () => {
  it('is swept in the order of ids, and an encumbrance without one stays', () => {
    create({ units: '1', expiry: moment('02:00:00') });
    create({ units: '2', expiry: moment('01:00:00') });
    create({ units: '3' });
    deals.events();
    deals.at('02:00:00');
    deals.endBlock();
    const expired = deals.events().filter(({ type }) => type === 'encumbrance.EventExpired');
    expect(expired.map(({ fields }) => [fields.id, fields.units])).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
    expect(deals.query('encumbrance.Encumbrance', { id: '3' }).encumbrance).toMatchObject({
      status: 'STATUS_ACTIVE',
    });
  });
});

describe('refused of a creation', () => {
  it.each<[string, number, () => JsonObject]>([
    ['no units', 2, () => ({ units: '0' })],
    ['a holder who is the beneficiary', 2, () => ({ beneficiary: ADA })],
    ['a pledge without a beneficiary', 2, () => ({ beneficiary: '' })],
    ['a lockup with a beneficiary', 2, () => lockup({ beneficiary: CLEO })],
    ['a lockup to exercise', 2, () => lockup({ exercisable: true })],
    ['a lien that routes income', 2, () => lien({ income_to_beneficiary: true })],
    ['an expiry that has come', 2, () => ({ expiry: moment('00:00:00') })],
    ['evidence of 3 bytes', 2, () => ({ evidence_hash: 'AAAA' })],
    ['no kind', 2, () => ({ kind: 'KIND_UNSPECIFIED' })],
    ['an unknown asset', 7, () => ({ asset_id: 'ab'.repeat(32) })],
    ['an unknown kind of the asset', 7, () => ({ kind_id: 3 })],
    ['more than the holder has', 9, () => ({ units: '101' })],
    ['a beneficiary of the chain’s own', 13, () => ({ beneficiary: moduleAddress(PARAMETERS, 'payout') })],
  ])('%s', (_, code, change) => {
    expect(deals.refused('encumbrance.MsgCreate', terms(change()))).toMatch(
      new RegExp(`^encumbrance/${code}: `),
    );
  });

  it('what is locked already', () => {
    create();
    expect(deals.refused('encumbrance.MsgCreate', terms({ units: '41' }))).toMatch(/^encumbrance\/9: /);
  });
});
