import type { JsonObject } from 'strata-kit/proto-json';
import { beforeEach, describe, expect, it } from 'vitest';
import { moduleAddress } from '../../src/modules/bank/keeper.ts';
import { PARAMETERS } from '../support/context.ts';
import {
  ADA,
  BEN,
  CLEO,
  createDeals,
  type Deals,
  ISSUER,
  moment,
  OPERATOR,
  STRANGER,
} from '../support/deals.ts';
import { kind } from '../support/modules.ts';

/** Rule 10 of modules.md and what section 4 says of liquidations, with figures reckoned by hand. */

const ACCOUNT = moduleAddress(PARAMETERS, 'waterfall');

let deals: Deals;
beforeEach(() => {
  deals = createDeals();
});

type TierOf = readonly [tier: number, kindId: number, cap: string];

const setMessage = (...tiers: readonly TierOf[]): JsonObject => ({
  issuer: ISSUER,
  asset_id: deals.assetId,
  tiers: tiers.map(([tier, kind_id, cap]) => ({ tier, kind_id, cap })),
});
const set = (...tiers: readonly TierOf[]) => deals.send('waterfall.MsgSetWaterfall', setMessage(...tiers));
const begin = (initiator = ISSUER) =>
  deals.send('waterfall.MsgBeginLiquidation', { initiator, asset_id: deals.assetId, denom: '' });
const fundMessage = (payer: string, amount: string, denom = 'uusd'): JsonObject => ({
  payer,
  asset_id: deals.assetId,
  amount: { denom, amount },
});
const redeemMessage = (holder: string, kind_id: number, units: string): JsonObject => ({
  holder,
  asset_id: deals.assetId,
  kind_id,
  units,
});
const close = (issuer = ISSUER) =>
  deals.send('waterfall.MsgCloseLiquidation', { issuer, asset_id: deals.assetId });

/** The events of a Fund as `[type, tier or kind, amount, pool after or remaining units]`. */
function fund(payer: string, amount: string): unknown[][] {
  deals.events();
  deals.send('waterfall.MsgFund', fundMessage(payer, amount));
  return deals
    .events()
    .map(({ type, fields }) => [
      type.slice('waterfall.Event'.length),
      fields.tier ?? fields.kind_id ?? fields.payer,
      fields.amount,
      fields.cumulative_paid ?? '',
      fields.pool_after ?? fields.remaining_units,
    ]);
}

/** The events of a RedeemPool as `[type, amount, pool after, supply after, the holder's units after]`. */
function redeem(holder: string, kindId: number, units: string): unknown[][] {
  deals.events();
  deals.send('waterfall.MsgRedeemPool', redeemMessage(holder, kindId, units));
  return deals
    .events()
    .map(({ type, fields }) => [
      type,
      fields.amount ?? fields.returned ?? fields.status,
      ...(fields.pool_after === undefined
        ? []
        : [fields.pool_after, fields.supply_after, fields.holder_units_after]),
    ]);
}

describe('a liquidation of three tiers', () => {
  // supplies: kind 0 150 (Ada 100, Ben 50), kind 1 100 (Ada), kind 2 100 (Ada)
  it('pays in order up to the caps, tops pools up between redemptions, and ends by itself', () => {
    const { assetId } = deals;
    set([30, 0, '0'], [10, 1, '200'], [20, 2, '100']);
    begin(OPERATOR);
    expect(deals.events()).toEqual([
      {
        type: 'waterfall.EventWaterfallSet',
        fields: {
          asset_id: assetId,
          // as the issuer listed them
          tiers: [
            { tier: 30, kind_id: 0, cap: '0' },
            { tier: 10, kind_id: 1, cap: '200' },
            { tier: 20, kind_id: 2, cap: '100' },
          ],
        },
      },
      {
        type: 'waterfall.EventLiquidationBegan',
        fields: { asset_id: assetId, denom: 'uusd', initiator: OPERATOR },
      },
      {
        type: 'asset.EventAssetStatusSet',
        fields: { asset_id: assetId, status: 'ASSET_STATUS_LIQUIDATING' },
      },
    ]);

    expect(fund(CLEO, '150')).toEqual([
      ['Funded', CLEO, '150', '', '150'],
      ['TierPaid', 10, '150', '150', '0'],
      ['PoolOpened', 1, '150', '', '100'],
    ]);
    // floor(150 · 40 / 100)
    expect(redeem(ADA, 1, '40')).toEqual([['waterfall.EventPoolRedeemed', '60', '90', '60', '60']]);

    expect(fund(CLEO, '200')).toEqual([
      ['Funded', CLEO, '200', '', '200'],
      ['TierPaid', 10, '50', '200', '150'],
      ['PoolOpened', 1, '50', '', '60'],
      ['TierPaid', 20, '100', '100', '50'],
      ['PoolOpened', 2, '100', '', '100'],
      ['TierPaid', 30, '50', '50', '0'],
      ['PoolOpened', 0, '50', '', '150'],
    ]);
    // floor((90 + 50) · 7 / 60) = floor(16.33)
    expect(redeem(ADA, 1, '7')).toEqual([['waterfall.EventPoolRedeemed', '16', '124', '53', '53']]);
    // floor(50 · 50 / 150) = floor(16.67)
    expect(redeem(BEN, 0, '50')).toEqual([['waterfall.EventPoolRedeemed', '16', '34', '100', '0']]);
    // the last units take what is left
    expect(redeem(ADA, 1, '53')).toEqual([['waterfall.EventPoolRedeemed', '124', '0', '0', '0']]);
    expect(redeem(ADA, 2, '100')).toEqual([['waterfall.EventPoolRedeemed', '100', '0', '0', '0']]);

    // kinds 1 and 2 have no supply: the whole of it is for kind 0
    expect(fund(BEN, '10')).toEqual([
      ['Funded', BEN, '10', '', '10'],
      ['TierPaid', 30, '10', '60', '0'],
      ['PoolOpened', 0, '10', '', '100'],
    ]);
    expect(deals.query('waterfall.Waterfall', { asset_id: assetId }).waterfall).toEqual({
      asset_id: assetId,
      tiers: [
        { tier: 10, kind_id: 1, cap: '200' },
        { tier: 20, kind_id: 2, cap: '100' },
        { tier: 30, kind_id: 0, cap: '0' },
      ],
      paid: [
        { tier: 10, kind_id: 1, denom: 'uusd', cumulative_paid: '200' },
        { tier: 20, kind_id: 2, denom: 'uusd', cumulative_paid: '100' },
        { tier: 30, kind_id: 0, denom: 'uusd', cumulative_paid: '60' },
      ],
      liquidation: {
        denom: 'uusd',
        initiator: OPERATOR,
        pool: '0',
        began_height: '1',
        began_at: '2026-01-01T00:00:00Z',
        closed_height: '0',
      },
      pools: [
        {
          kind_id: 1,
          denom: 'uusd',
          amount: '200',
          units: '100',
          remaining_amount: '0',
          remaining_units: '0',
        },
        {
          kind_id: 2,
          denom: 'uusd',
          amount: '100',
          units: '100',
          remaining_amount: '0',
          remaining_units: '0',
        },
        {
          kind_id: 0,
          denom: 'uusd',
          amount: '60',
          units: '150',
          remaining_amount: '44',
          remaining_units: '100',
        },
      ],
    });
    expect(redeem(ADA, 0, '100')).toEqual([
      ['waterfall.EventPoolRedeemed', '44', '0', '0', '0'],
      ['asset.EventAssetStatusSet', 'ASSET_STATUS_LIQUIDATED'],
      ['waterfall.EventLiquidationClosed', '0'],
    ]);
    // Ada: 1,000 + 60 + 16 + 124 + 100 + 44; Ben: 1,000 + 16 − 10; Cleo: 1,000 − 350
    expect([deals.coins(ADA), deals.coins(BEN), deals.coins(CLEO), deals.coins(ACCOUNT)]).toEqual([
      1344n,
      1006n,
      650n,
      0n,
    ]);
  });

  it('gives the issuer what no tier takes, when it ends by itself', () => {
    set([1, 1, '10']);
    begin();
    expect(fund(CLEO, '25')).toEqual([
      ['Funded', CLEO, '25', '', '25'],
      ['TierPaid', 1, '10', '10', '15'],
      ['PoolOpened', 1, '10', '', '100'],
    ]);
    expect(fund(CLEO, '5')).toEqual([['Funded', CLEO, '5', '', '20']]);
    expect(redeem(ADA, 1, '100').at(-1)).toEqual(['waterfall.EventLiquidationClosed', '20']);
    expect([deals.coins(ISSUER), deals.coins(ACCOUNT)]).toEqual([20n, 0n]);
  });

  it('is closed by the issuer, and its redemption pools stay', () => {
    set([1, 1, '10'], [2, 2, '5']);
    begin();
    fund(CLEO, '25');
    expect(
      deals.refused('waterfall.MsgCloseLiquidation', { issuer: OPERATOR, asset_id: deals.assetId }),
    ).toMatch(/^waterfall\/6: /);
    expect(close()).toEqual({ returned: '10' });
    expect(deals.events().at(-1)?.fields).toEqual({ asset_id: deals.assetId, returned: '10' });
    expect(deals.refused('waterfall.MsgFund', fundMessage(CLEO, '1'))).toMatch(/^waterfall\/4: /);
    expect(redeem(ADA, 1, '100')).toEqual([['waterfall.EventPoolRedeemed', '10', '0', '0', '0']]);
    expect(redeem(ADA, 2, '100')).toEqual([['waterfall.EventPoolRedeemed', '5', '0', '0', '0']]);
    expect([deals.coins(ISSUER), deals.coins(ACCOUNT)]).toEqual([10n, 0n]);
  });

  it('passes over a tier whose kind has no supply, and pays one kind from two tiers into one pool', () => {
    const kinds = [kind(), kind(), kind(), kind()];
    deals = createDeals({ kinds });
    set([1, 3, '0'], [2, 1, '10'], [3, 2, '5'], [4, 1, '0']);
    begin();
    expect(fund(CLEO, '40').slice(1)).toEqual([
      ['TierPaid', 2, '10', '10', '30'],
      ['PoolOpened', 1, '10', '', '100'],
      ['TierPaid', 3, '5', '5', '25'],
      ['PoolOpened', 2, '5', '', '100'],
      ['TierPaid', 4, '25', '25', '0'],
      ['PoolOpened', 1, '25', '', '100'],
    ]);
    expect(redeem(ADA, 1, '50')).toEqual([['waterfall.EventPoolRedeemed', '17', '18', '50', '50']]);
  });

  it('redeems a unit for nothing when its share is less than one', () => {
    set([1, 1, '0']);
    begin();
    fund(CLEO, '1');
    expect(redeem(ADA, 1, '99')).toEqual([['waterfall.EventPoolRedeemed', '0', '1', '1', '1']]);
    expect(redeem(ADA, 1, '1')[0]).toEqual(['waterfall.EventPoolRedeemed', '1', '0', '0', '0']);
  });
});

describe('from the begin on', () => {
  const out = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
  const proposal = (): JsonObject => ({
    proposer: ADA,
    counterparty: BEN,
    legs: [
      { direction: out, right: { asset_id: deals.assetId, kind_id: 0, units: '10' } },
      { direction: out, coin: { denom: 'uusd', amount: '7' } },
    ],
    expiry: moment('12:00:00'),
    memo_hash: '',
  });

  it('pending settlements that touch the asset are cancelled, others stay', () => {
    deals.send('settlement.MsgPropose', proposal());
    const coin = { direction: out, coin: { denom: 'uusd', amount: '1' } };
    deals.send('settlement.MsgPropose', { ...proposal(), legs: [coin] });
    deals.send('settlement.MsgPropose', proposal());
    set([1, 0, '0']);
    deals.events();
    begin();
    const cancelled = deals.events().filter(({ type }) => type === 'settlement.EventCancelled');
    const fields = {
      proposer: ADA,
      counterparty: BEN,
      asset_ids: [deals.assetId],
      actor: '',
      reason: 'LIQUIDATION',
    };
    expect(cancelled.map((event) => event.fields)).toEqual([
      { id: '1', ...fields },
      { id: '3', ...fields },
    ]);
    expect(deals.coins(ADA)).toBe(999n);
    expect(deals.query('settlement.Settlement', { id: '3' }).settlement).toMatchObject({
      status: 'STATUS_CANCELLED',
      cancel_reason: 'LIQUIDATION',
    });
    deals.send('settlement.MsgAccept', { counterparty: BEN, id: '2' });
  });

  it.each(['LIQUIDATING', 'LIQUIDATED'])('%s, what would change the asset is refused', (status) => {
    deals.send('bridge.MsgCreateRoute', route());
    set([1, 0, '0']);
    begin();
    if (status === 'LIQUIDATED') close();
    const asset = { asset_id: deals.assetId, kind_id: 0 };
    // 22 of the modules of assets, 8 of these
    const refused = (message: string, fields: JsonObject) => {
      const [module = ''] = message.split('.');
      const code = ['rights', 'payout'].includes(module) ? 22 : 8;
      expect(deals.refused(message, fields)).toMatch(
        new RegExp(`^${module}/${code}: .*ASSET_STATUS_${status}$`),
      );
    };
    refused('rights.MsgIssue', { issuer: ISSUER, ...asset, recipient: ADA, units: '1' });
    refused('rights.MsgTransfer', { from: ADA, ...asset, to: BEN, units: '1' });
    refused('rights.MsgRedeem', { holder: ADA, ...asset, units: '1' });
    refused('payout.MsgDistribute', { payer: ADA, ...asset, amount: { denom: 'uusd', amount: '1' } });
    refused('settlement.MsgPropose', proposal());
    refused('bridge.MsgTransferOut', {
      sender: ADA,
      route_id: 'route-1',
      recipient: `0x${'cd'.repeat(32)}`,
      amount: '1',
    });
    refused('encumbrance.MsgCreate', {
      actor: ADA,
      kind: 'KIND_LOCKUP',
      ...asset,
      holder: ADA,
      units: '1',
      beneficiary: '',
    });
    refused('delegation.MsgDelegate', {
      holder: ADA,
      ...asset,
      units: '1',
      delegate: BEN,
      until: moment('12:00:00'),
      purposes: ['PURPOSE_VOTE'],
    });
    refused('waterfall.MsgSetWaterfall', setMessage([1, 0, '0']));
    refused('waterfall.MsgBeginLiquidation', { initiator: ISSUER, asset_id: deals.assetId, denom: '' });
  });

  function route(): JsonObject {
    return {
      authority: PARAMETERS.bridgeAuthority,
      route_id: 'route-1',
      remote_domain: 1,
      remote_contract: `0x${'ab'.repeat(32)}`,
      direction: 'DIRECTION_RIGHT_OUT',
      window_seconds: '0',
      outbound_limit: '0',
      inbound_limit: '0',
      asset_id: deals.assetId,
      kind_id: 0,
    };
  }

  it('claims, releases, exercises, returns, revocations, arrivals, expiries and sweeps go on', () => {
    const asset = { asset_id: deals.assetId, kind_id: 0 };
    deals.send('bridge.MsgCreateRoute', route());
    const remote = `0x${'cd'.repeat(32)}`;
    deals.send('bridge.MsgTransferOut', {
      sender: ADA,
      route_id: 'route-1',
      recipient: remote,
      amount: '30',
    });
    const pledge = { actor: ADA, kind: 'KIND_PLEDGE', ...asset, holder: ADA, units: '5', beneficiary: CLEO };
    for (const exercisable of [false, true])
      deals.send('encumbrance.MsgCreate', { ...pledge, exercisable, expiry: null });
    deals.send('encumbrance.MsgCreate', { ...pledge, expiry: moment('01:00:00') });
    const delegated = {
      holder: ADA,
      ...asset,
      units: '5',
      delegate: BEN,
      until: moment('01:00:00'),
      purposes: ['PURPOSE_VOTE'],
      revocable: true,
    };
    for (let i = 0; i < 3; i++) deals.send('delegation.MsgDelegate', delegated);
    deals.send('payout.MsgDistribute', { payer: CLEO, ...asset, amount: { denom: 'uusd', amount: '150' } });
    set([1, 0, '0']);
    begin();

    deals.send('payout.MsgClaim', { claimant: ADA, ...asset, denom: 'uusd', ref: '' });
    deals.send('encumbrance.MsgRelease', { actor: CLEO, id: '1', units: '' });
    deals.send('encumbrance.MsgExercise', { actor: CLEO, id: '2' });
    deals.send('delegation.MsgRevoke', { holder: ADA, id: '1' });
    deals.send('delegation.MsgReturn', { delegate: BEN, id: '2' });
    deals.send('bridge.MsgReceiveIn', {
      relayer: PARAMETERS.relayer,
      route_id: 'route-1',
      sender: remote,
      recipient: BEN,
      amount: '10',
      message_id: remote,
    });
    deals.at('01:00:00');
    deals.context.height = 50;
    deals.events();
    deals.endBlock();
    expect(deals.events().map(({ type }) => type)).toEqual([
      'rights.EventUnlocked',
      'encumbrance.EventExpired',
      'rights.EventUnlocked',
      'delegation.EventEnded',
      'bridge.EventEscrowIncomeSwept',
    ]);
    expect([deals.has(ADA, 0), deals.has(BEN, 0), deals.has(CLEO, 0)]).toEqual([65n, 60n, 5n]);
    expect(deals.coins(ISSUER)).toBe(30n);
  });
});

describe('refused', () => {
  it('tiers: of another than the issuer, none, twice a number, unknown kinds', () => {
    const refused = (message: JsonObject) => deals.refused('waterfall.MsgSetWaterfall', message);
    expect(refused({ ...setMessage([1, 0, '0']), issuer: OPERATOR })).toMatch(/^waterfall\/6: /);
    expect(refused(setMessage())).toMatch(/^waterfall\/2: /);
    expect(refused(setMessage([1, 0, '0'], [1, 1, '0']))).toMatch(/^waterfall\/2: /);
    expect(refused(setMessage(...Array.from({ length: 33 }, (_, i) => [i, 0, '0'] as const)))).toMatch(
      /^waterfall\/2: /,
    );
    expect(refused(setMessage([1, 3, '0']))).toMatch(/^waterfall\/7: /);
    expect(refused({ ...setMessage([1, 0, '0']), asset_id: 'ab'.repeat(32) })).toMatch(/^waterfall\/7: /);
  });

  it('a begin: of a stranger, and without a tier whose kind has a supply', () => {
    deals = createDeals({ kinds: [kind(), kind(), kind(), kind()] });
    const refused = (initiator: string) =>
      deals.refused('waterfall.MsgBeginLiquidation', { initiator, asset_id: deals.assetId, denom: '' });
    expect(refused(STRANGER)).toMatch(/^waterfall\/6: /);
    expect(refused(ISSUER)).toMatch(/^waterfall\/14: /);
    set([1, 3, '0']);
    expect(refused(ISSUER)).toMatch(/^waterfall\/14: /);
  });

  it('funds: before the begin, in another denom, more than the payer has', () => {
    set([1, 0, '0']);
    expect(deals.refused('waterfall.MsgFund', fundMessage(CLEO, '1'))).toMatch(/^waterfall\/4: /);
    begin();
    expect(deals.refused('waterfall.MsgFund', fundMessage(CLEO, '1', 'uatom'))).toMatch(/^waterfall\/5: /);
    expect(deals.refused('waterfall.MsgFund', fundMessage(CLEO, '1001'))).toMatch(/^waterfall\/10: /);
    expect(deals.refused('waterfall.MsgFund', fundMessage(CLEO, '0'))).toMatch(/^waterfall\/2: /);
  });

  it('a redemption: without a pool, of locked units', () => {
    deals.send('encumbrance.MsgCreate', {
      actor: ADA,
      kind: 'KIND_LOCKUP',
      asset_id: deals.assetId,
      kind_id: 1,
      holder: ADA,
      units: '60',
      beneficiary: '',
    });
    set([1, 1, '10']);
    expect(deals.refused('waterfall.MsgRedeemPool', redeemMessage(ADA, 1, '1'))).toMatch(/^waterfall\/15: /);
    begin();
    fund(CLEO, '10');
    expect(deals.refused('waterfall.MsgRedeemPool', redeemMessage(ADA, 0, '1'))).toMatch(/^waterfall\/15: /);
    expect(deals.refused('waterfall.MsgRedeemPool', redeemMessage(ADA, 1, '41'))).toMatch(/^waterfall\/9: /);
    expect(deals.refused('waterfall.MsgRedeemPool', redeemMessage(ADA, 1, '0'))).toMatch(/^waterfall\/2: /);
  });

  it('a close: before the begin', () => {
    expect(
      deals.refused('waterfall.MsgCloseLiquidation', { issuer: ISSUER, asset_id: deals.assetId }),
    ).toMatch(/^waterfall\/4: /);
  });
});
