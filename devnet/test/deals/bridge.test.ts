import type { JsonObject } from 'strata-kit/proto-json';
import { beforeEach, describe, expect, it } from 'vitest';
import { balance, moduleAddress, supplyOf } from '../../src/modules/bank/keeper.ts';
import { sendCoins } from '../../src/modules/bank/messages.ts';
import { PARAMETERS } from '../support/context.ts';
import {
  ADA,
  AUTHORITY,
  BEN,
  BYTES,
  CLEO,
  createDeals,
  type Deals,
  ISSUER,
  moment,
  OPERATOR,
  RELAYER,
} from '../support/deals.ts';

/** Rule 8 of modules.md, with figures reckoned by hand. */

/** Of route-1: python3, sha256(sha256(b'module') + b'bridge\0route-1'), as bech32. */
const ESCROW = 'aeva1zup7xd97556tweu9pru5u6fthhvpfnf75987yac8u6gyxetarc2q08sefc';
/**
 * Of route-1's messages 0 and 1 where every message is its: python3,
 * sha256(b'aeva/bridge/message/v1' + pack('>QI', n, 11) + b'aeva-test-1' + b'route-1').
 */
const MESSAGES = [
  '0xd4880c967061c67b19bccd9185d6282ea5169237f3b590241387df8831848c5c',
  '0xaec70b96c58b00dd54f45266b1ce25c98d85650a4f4187b7be5ea1e67d45821d',
];
const REMOTE = `0x${'cd'.repeat(32)}`;
const CONTRACT = `0x${'ab'.repeat(32)}`;

let deals: Deals;
beforeEach(() => {
  deals = createDeals();
});

/** NATIVE_OUT of uusd without a cap, unless told otherwise. */
function routeMessage(change: JsonObject = {}): JsonObject {
  return {
    authority: AUTHORITY,
    route_id: 'route-1',
    remote_domain: 8453,
    remote_contract: CONTRACT,
    direction: 'DIRECTION_NATIVE_OUT',
    local_denom: 'uusd',
    window_seconds: '0',
    outbound_limit: '0',
    inbound_limit: '0',
    warp_token_id: 'warp-1',
    display: 'USD',
    exponent: 6,
    ...change,
  };
}

const create = (change: JsonObject = {}) => deals.send('bridge.MsgCreateRoute', routeMessage(change));
const rightOut = (change: JsonObject = {}) => ({
  direction: 'DIRECTION_RIGHT_OUT',
  local_denom: '',
  asset_id: deals.assetId,
  kind_id: 0,
  ...change,
});
const bundleOut = () => ({
  direction: 'DIRECTION_RIGHT_OUT',
  local_denom: '',
  asset_id: deals.assetId,
  bundle: true,
});
const synthetic = (change: JsonObject = {}) => ({
  direction: 'DIRECTION_SYNTHETIC_IN',
  local_denom: 'ueth',
  ...change,
});
const outMessage = (amount: string, change: JsonObject = {}): JsonObject => ({
  sender: ADA,
  route_id: 'route-1',
  recipient: REMOTE,
  amount,
  ...change,
});
const out = (amount: string, change: JsonObject = {}) =>
  deals.send('bridge.MsgTransferOut', outMessage(amount, change));
const refusedOut = (amount: string, change: JsonObject = {}) =>
  deals.refused('bridge.MsgTransferOut', outMessage(amount, change));
const inMessage = (amount: string, n: number, change: JsonObject = {}): JsonObject => ({
  relayer: RELAYER,
  route_id: 'route-1',
  sender: REMOTE,
  recipient: BEN,
  amount,
  message_id: `0x${String(n).padStart(64, '0')}`,
  ...change,
});
const receive = (amount: string, n: number, change: JsonObject = {}) =>
  deals.send('bridge.MsgReceiveIn', inMessage(amount, n, change));
const refusedIn = (amount: string, n: number, change: JsonObject = {}) =>
  deals.refused('bridge.MsgReceiveIn', inMessage(amount, n, change));
const setStatus = (status: string) =>
  deals.send('bridge.MsgSetRouteStatus', { authority: AUTHORITY, route_id: 'route-1', status });
const setLimits = (outbound_limit: string, window_seconds: string, inbound_limit = '0') =>
  deals.send('bridge.MsgSetLimits', {
    authority: AUTHORITY,
    route_id: 'route-1',
    outbound_limit,
    inbound_limit,
    window_seconds,
  });
const actual = () => deals.query('bridge.Actual', { route_id: 'route-1' });
const used = () => {
  const { route } = deals.query('bridge.Route', { route_id: 'route-1' });
  const { outbound_used, inbound_used, outbound_window } = route as JsonObject;
  return [outbound_used, inbound_used, outbound_window];
};

describe('coins over NATIVE_OUT', () => {
  it('go to the escrow of ADR-028 and come back out of it', () => {
    expect(create()).toEqual({ escrow_address: ESCROW });
    const { authority: _, ...configured } = routeMessage();
    const configuration = {
      ...configured,
      status: 'ROUTE_STATUS_ACTIVE',
      asset_id: '',
      bundle: false,
      escrow_address: ESCROW,
    };
    expect(deals.events()).toEqual([{ type: 'bridge.EventRouteCreated', fields: configuration }]);
    expect(out('70')).toEqual({ message_id: MESSAGES[0] });
    expect(out('30')).toEqual({ message_id: MESSAGES[1] });
    const fields = {
      route_id: 'route-1',
      asset_id: '',
      bundle: false,
    };
    expect(deals.events()).toEqual([
      {
        type: 'bridge.EventTransferOut',
        fields: {
          ...fields,
          sender: ADA,
          recipient: REMOTE,
          amount: '70',
          message_id: MESSAGES[0],
          outbound_after: '70',
          outbound_used_after: '0',
        },
      },
      {
        type: 'bridge.EventTransferOut',
        fields: {
          ...fields,
          sender: ADA,
          recipient: REMOTE,
          amount: '30',
          message_id: MESSAGES[1],
          outbound_after: '100',
          outbound_used_after: '0',
        },
      },
    ]);
    receive('60', 1);
    expect(deals.events()).toEqual([
      {
        type: 'bridge.EventTransferIn',
        fields: {
          ...fields,
          sender: REMOTE,
          recipient: BEN,
          amount: '60',
          message_id: `0x${'1'.padStart(64, '0')}`,
          inbound_after: '60',
          inbound_used_after: '0',
        },
      },
    ]);
    expect([deals.coins(ADA), deals.coins(BEN), deals.coins(ESCROW)]).toEqual([900n, 1060n, 40n]);
    expect(actual()).toEqual({ actual: '40', expected: '40', ok: true });
    expect(refusedIn('41', 2)).toMatch(/^bridge\/16: /);
    expect(refusedIn('1', 1)).toMatch(/^bridge\/17: /);
  });
});

describe('coins over SYNTHETIC_IN', () => {
  it('are made when they come in and burnt when they go out', () => {
    expect(create(synthetic())).toEqual({ escrow_address: '' });
    receive('500', 1);
    out('120', { sender: BEN });
    expect([balance(deals.context.state, BEN, 'ueth'), supplyOf(deals.context.state, 'ueth')]).toEqual([
      380n,
      380n,
    ]);
    expect(actual()).toEqual({ actual: '380', expected: '380', ok: true });
    expect(refusedOut('381', { sender: BEN })).toMatch(/^bridge\/10: /);
  });

  it('have one route a denom, which begins without a supply', () => {
    create(synthetic());
    const refused = (change: JsonObject) =>
      deals.refused('bridge.MsgCreateRoute', routeMessage({ route_id: 'route-2', ...change }));
    expect(refused(synthetic())).toMatch(/^bridge\/15: /);
    expect(refused(synthetic({ local_denom: 'uusd' }))).toMatch(/^bridge\/15: /);
  });
});

describe('rights over RIGHT_OUT', () => {
  it('move to the escrow and back, by the rights’ own events', () => {
    create(rightOut());
    deals.events();
    out('40');
    const { assetId } = deals;
    expect(deals.events()).toEqual([
      {
        type: 'rights.EventTransferred',
        fields: {
          asset_id: assetId,
          kind_id: 0,
          from: ADA,
          to: ESCROW,
          units: '40',
          from_units_after: '60',
          to_units_after: '40',
        },
      },
      {
        type: 'bridge.EventTransferOut',
        fields: {
          route_id: 'route-1',
          sender: ADA,
          recipient: REMOTE,
          amount: '40',
          message_id: MESSAGES[0],
          asset_id: assetId,
          kind_id: 0,
          bundle: false,
          outbound_after: '40',
          outbound_used_after: '0',
        },
      },
    ]);
    receive('15', 1);
    expect([deals.has(ADA, 0), deals.has(BEN, 0), deals.has(ESCROW, 0)]).toEqual([60n, 65n, 25n]);
    expect(actual()).toEqual({ actual: '25', expected: '25', ok: true });
    expect(refusedIn('26', 2)).toMatch(/^bridge\/16: /);
  });

  it('move whole bundles: a unit of every bundle kind each', () => {
    create(bundleOut());
    deals.events();
    out('40');
    expect(
      deals.events().map(({ type, fields }) => [type, fields.kind_id, fields.units, fields.bundle]),
    ).toEqual([
      ['rights.EventTransferred', 0, '40', undefined],
      ['rights.EventTransferred', 1, '40', undefined],
      ['bridge.EventTransferOut', undefined, undefined, true],
    ]);
    receive('10', 1);
    expect([0, 1, 2].map((kindId) => deals.has(ESCROW, kindId))).toEqual([30n, 30n, 0n]);
    expect([0, 1, 2].map((kindId) => deals.has(BEN, kindId))).toEqual([60n, 10n, 0n]);
    expect(actual()).toEqual({ actual: '30', expected: '30', ok: true });
    // Ben has 60 of kind 0 and 10 of kind 1
    expect(refusedOut('11', { sender: BEN })).toMatch(/^bridge\/9: /);
  });

  it('come in whatever policy and flags say', () => {
    create(rightOut());
    out('40');
    const policy = { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] };
    deals.send('asset.MsgSetPolicy', { issuer: ISSUER, asset_id: deals.assetId, policy });
    update({ transferable: false, bridgeable: false });
    receive('40', 1);
    expect(deals.has(BEN, 0)).toBe(90n);
  });
});

function update(change: JsonObject): void {
  const kind = { issuer: ISSUER, asset_id: deals.assetId, kind_id: 0, transferable: true, bridgeable: true };
  deals.send('asset.MsgUpdateKind', { ...kind, multiplier: '1', ...change });
}

describe('the cap', () => {
  // 2026-01-01T00:00:00Z is 1767225600: the beginning of hour 490896
  it('counts in windows of unix time and begins anew at their edge', () => {
    create({ window_seconds: '3600', outbound_limit: '100', inbound_limit: '50' });
    out('60');
    deals.at('00:59:59.999999999');
    expect(refusedOut('41')).toBe('bridge/5: cap exceeded: 101 of 100 in window 490896');
    out('40');
    expect(refusedOut('1')).toMatch(/^bridge\/5: /);
    expect(used()).toEqual(['100', '0', '490896']);
    receive('50', 1);
    expect(refusedIn('1', 2)).toMatch(/^bridge\/5: /);
    deals.at('01:00:00');
    expect(used()).toEqual(['0', '0', '490897']);
    deals.events();
    out('100');
    expect(deals.events()[0]?.fields).toMatchObject({ outbound_after: '200', outbound_used_after: '100' });
    expect(refusedOut('1')).toMatch(/^bridge\/5: /);
  });

  // 1767225600 = 11 · 160656872 + 8: the window ends 3 s after midnight
  it('does not count from the route’s creation', () => {
    create({ window_seconds: '11', outbound_limit: '10' });
    out('10');
    deals.at('00:00:02.999999999');
    expect(refusedOut('1')).toBe('bridge/5: cap exceeded: 11 of 10 in window 160656872');
    deals.at('00:00:03');
    out('10');
    expect(used()).toEqual(['10', '0', '160656873']);
  });

  it('lets nothing pass at 0, and everything without windows', () => {
    create({ window_seconds: '10' });
    expect(refusedOut('1')).toMatch(/^bridge\/5: /);
    setLimits('0', '0');
    out('1000');
    expect(used()).toEqual(['0', '0', '0']);
  });

  it('keeps what is used when limits change, and restarts with other windows', () => {
    create({ window_seconds: '3600', outbound_limit: '100' });
    out('60');
    deals.events();
    setLimits('70', '3600');
    expect(deals.events()).toEqual([
      {
        type: 'bridge.EventRouteUpdated',
        fields: {
          route_id: 'route-1',
          asset_id: '',
          status: 'ROUTE_STATUS_ACTIVE',
          outbound_limit: '70',
          inbound_limit: '0',
          window_seconds: '3600',
        },
      },
    ]);
    expect(refusedOut('11')).toMatch(/^bridge\/5: /);
    setLimits('70', '7200');
    out('70');
    expect(used()).toEqual(['70', '0', '245448']);
  });
});

describe('income of the escrow', () => {
  function distribute(amount: string, kind_id = 0): void {
    const payment = { payer: CLEO, asset_id: deals.assetId, kind_id, amount: { denom: 'uusd', amount } };
    deals.send('payout.MsgDistribute', payment);
  }

  function endOf(height: number): unknown[] {
    deals.context.height = height;
    deals.events();
    deals.endBlock();
    return deals.events();
  }

  const swept = (amount: string, kind_id = 0) => ({
    type: 'bridge.EventEscrowIncomeSwept',
    fields: {
      route_id: 'route-1',
      escrow_address: ESCROW,
      recipient: ISSUER,
      asset_id: deals.assetId,
      kind_id,
      denom: 'uusd',
      amount,
    },
  });

  // supply 150, of which 40 are escrowed: 40 · 2.00666… = 80.26
  it('goes to the issuer every 50 blocks, and a sweep of 0 touches nothing', () => {
    create(rightOut());
    out('40');
    distribute('301');
    for (const height of [49, 51, 99]) expect(endOf(height)).toEqual([]);
    expect(endOf(100)).toEqual([swept('80')]);
    expect([deals.coins(ISSUER), deals.coins(ESCROW)]).toEqual([80n, 0n]);
    // each gives the escrow 0.266…: the fourth makes it 1.066…
    for (const height of [150, 200, 250]) {
      distribute('1');
      expect(endOf(height)).toEqual([]);
    }
    distribute('1');
    expect(endOf(300)).toEqual([swept('1')]);
    expect(endOf(350)).toEqual([]);
    expect(deals.coins(ISSUER)).toBe(81n);
    expect(deals.query('payout.Accruals', { asset_id: deals.assetId }).accruals).toMatchObject([
      { total_distributed: '305', total_paid: '81' },
    ]);
  });

  it('is its own units’ alone, not that of a pledge from before it was an escrow', () => {
    const pledge = { kind: 'KIND_PLEDGE', actor: ADA, holder: ADA, units: '30', beneficiary: ESCROW };
    const asset = { asset_id: deals.assetId, kind_id: 0 };
    deals.send('encumbrance.MsgCreate', { ...pledge, ...asset, income_to_beneficiary: true });
    create(rightOut());
    out('40');
    distribute('150');
    expect(endOf(50)).toEqual([swept('40')]);
  });

  it('is swept per kind of a bundle, also of a paused route that has given everything back', () => {
    create(bundleOut());
    out('50');
    distribute('150');
    distribute('100', 1);
    receive('50', 1);
    setStatus('ROUTE_STATUS_PAUSED');
    expect(endOf(50)).toEqual([swept('50'), swept('50', 1)]);
  });
});

describe('an escrow', () => {
  it('receives from TransferOut alone', () => {
    create(rightOut());
    const { assetId } = deals;
    const asset = { asset_id: assetId, kind_id: 0 };
    const refused = (message: string, fields: JsonObject) => deals.refused(message, fields).split(': ')[0];
    expect(refused('rights.MsgTransfer', { from: ADA, ...asset, to: ESCROW, units: '1' })).toMatch(
      /^rights\//,
    );
    expect(refused('rights.MsgIssue', { issuer: ISSUER, ...asset, recipient: ESCROW, units: '1' })).toMatch(
      /^rights\//,
    );
    const leg = { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', coin: { denom: 'uusd', amount: '1' } };
    const proposal = { proposer: ADA, counterparty: ESCROW, legs: [leg], expiry: moment('01:00:00') };
    expect(refused('settlement.MsgPropose', proposal)).toBe('settlement/13');
    const pledge = {
      kind: 'KIND_PLEDGE',
      actor: ADA,
      holder: ADA,
      ...asset,
      units: '1',
      beneficiary: ESCROW,
    };
    expect(refused('encumbrance.MsgCreate', pledge)).toBe('encumbrance/13');
    create({ route_id: 'route-2' });
    out('1', { route_id: 'route-2' });
    expect(refusedIn('1', 1, { route_id: 'route-2', recipient: ESCROW })).toMatch(/^bridge\/13: /);
    const coins = [{ denom: 'uusd', amount: '1' }];
    const payment = { from_address: ADA, to_address: ESCROW, amount: coins };
    expect(deals.context.refusal(() => sendCoins(deals.context, payment))).toMatch(/^sdk\/4: /);
    const account = moduleAddress(PARAMETERS, 'settlement');
    expect(refusedIn('1', 1, { route_id: 'route-2', recipient: account })).toMatch(/^bridge\/13: /);
  });

  it('cannot be bound: liens and lockups would keep units from coming back', () => {
    create(rightOut());
    out('40');
    const binding = { holder: ESCROW, asset_id: deals.assetId, kind_id: 0, units: '1', evidence_hash: BYTES };
    for (const [kind, actor, beneficiary] of [
      ['KIND_LIEN', OPERATOR, CLEO],
      ['KIND_LOCKUP', ISSUER, ''],
    ] as const)
      expect(deals.refused('encumbrance.MsgCreate', { ...binding, kind, actor, beneficiary })).toMatch(
        /^encumbrance\/13: /,
      );
  });

  it('begins with nothing', () => {
    deals.send('rights.MsgTransfer', {
      from: ADA,
      asset_id: deals.assetId,
      kind_id: 0,
      to: ESCROW,
      units: '1',
    });
    expect(deals.refused('bridge.MsgCreateRoute', routeMessage(rightOut()))).toMatch(/^bridge\/13: /);
    create(rightOut({ kind_id: 1 }));
  });
});

describe('a route that is created paused', () => {
  it('says so in its event, lets nothing pass, and works once it is active', () => {
    create({ status: 'ROUTE_STATUS_PAUSED' });
    expect(deals.events().map(({ type, fields }) => [type, fields.status])).toEqual([
      ['bridge.EventRouteCreated', 'ROUTE_STATUS_PAUSED'],
    ]);
    expect(refusedOut('5')).toMatch(/^bridge\/4: /);
    setStatus('ROUTE_STATUS_ACTIVE');
    out('5');
  });

  it('is active where the message leaves the status open', () => {
    create({ status: 'ROUTE_STATUS_UNSPECIFIED' });
    out('5');
  });
});

describe('refused of a transfer out', () => {
  it('on no route, on a paused one, malformed', () => {
    expect(refusedOut('1')).toBe('bridge/3: no route route-1');
    create();
    expect(refusedOut('0')).toMatch(/^bridge\/2: /);
    expect(refusedOut('1', { recipient: '0xab' })).toMatch(/^bridge\/2: /);
    setStatus('ROUTE_STATUS_PAUSED');
    expect(refusedOut('1')).toBe('bridge/4: route route-1 is paused');
    expect(refusedIn('1', 1)).toMatch(/^bridge\/4: /);
    setStatus('ROUTE_STATUS_ACTIVE');
    out('1');
    expect(refusedOut('1000')).toMatch(/^bridge\/10: /);
  });

  it('of a right that is locked, not bridgeable, not transferable, or not under an OPEN policy', () => {
    create(rightOut());
    expect(refusedOut('101')).toMatch(/^bridge\/9: /);
    update({ bridgeable: false });
    expect(refusedOut('1')).toMatch(/^bridge\/14: /);
    update({ transferable: false });
    expect(refusedOut('1')).toMatch(/^bridge\/11: /);
    update({});
    const attested = { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc'], attesters: [OPERATOR] };
    const policyOf = { issuer: ISSUER, asset_id: deals.assetId };
    deals.send('asset.MsgSetPolicy', { ...policyOf, policy: attested });
    expect(refusedOut('1')).toMatch(/^bridge\/12: /);
    const open = { mode: 'POLICY_MODE_OPEN', required_types: [], attesters: [] };
    deals.send('asset.MsgSetPolicy', { ...policyOf, kind_id: 0, policy: open });
    out('1');
  });
});

describe('refused of the rest', () => {
  it.each<[string, number, () => JsonObject]>([
    ['another authority', 6, () => ({ authority: RELAYER })],
    ['an id with a slash', 2, () => ({ route_id: 'a/b' })],
    ['no direction', 2, () => ({ direction: 'DIRECTION_UNSPECIFIED' })],
    ['a coin route of an asset', 2, () => ({ asset_id: deals.assetId })],
    ['a coin route of kind 0', 2, () => ({ kind_id: 0 })],
    ['no denom', 2, () => ({ local_denom: '' })],
    ['a right route of a denom', 2, () => rightOut({ local_denom: 'uusd' })],
    ['a right route of no kind', 2, () => ({ ...rightOut(), kind_id: null })],
    ['an unknown asset', 7, () => rightOut({ asset_id: 'ab'.repeat(32) })],
    ['an unknown kind', 7, () => rightOut({ kind_id: 3 })],
    ['a long display', 2, () => ({ display: 'x'.repeat(129) })],
    ['a remote contract of another length', 2, () => ({ remote_contract: '0xab' })],
  ])('a route: %s', (_, code, change) => {
    expect(deals.refused('bridge.MsgCreateRoute', routeMessage(change()))).toMatch(
      new RegExp(`^bridge/${code}: `),
    );
  });

  it('a second route of an id', () => {
    create();
    expect(deals.refused('bridge.MsgCreateRoute', routeMessage())).toMatch(/^bridge\/15: /);
  });

  it('status and limits by another than the authority, arrivals by another than the relayer', () => {
    create();
    const route = { authority: ADA, route_id: 'route-1' };
    expect(deals.refused('bridge.MsgSetRouteStatus', { ...route, status: 'ROUTE_STATUS_PAUSED' })).toMatch(
      /^bridge\/6: /,
    );
    const limits = { outbound_limit: '1', inbound_limit: '1', window_seconds: '1' };
    expect(deals.refused('bridge.MsgSetLimits', { ...route, ...limits })).toMatch(/^bridge\/6: /);
    expect(refusedIn('1', 1, { relayer: AUTHORITY })).toMatch(/^bridge\/6: /);
  });
});
