import type { JsonObject } from 'strata-kit/proto-json';
import { describe, expect, it } from 'vitest';
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
  RELAYER,
} from '../support/deals.ts';
import { createAsset, kind } from '../support/modules.ts';

/** What a module exports, another chain begins with, and goes on from there. */

const REMOTE = `0x${'cd'.repeat(32)}`;
const MODULES = ['settlement', 'encumbrance', 'delegation', 'waterfall', 'bridge'];
const exportsOf = ({ query }: Pick<Deals, 'query'>) => MODULES.map((name) => query(`${name}.Export`, {}));

/** Records in every state that a module knows, some open. */
function lively(): Deals {
  const deals = createDeals();
  const { assetId, send } = deals;
  const asset = { asset_id: assetId, kind_id: 0 };
  const direction = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
  const legs = [
    { direction, right: { ...asset, units: '3' } },
    { direction, coin: { denom: 'uusd', amount: '4' } },
  ];
  const proposal = { proposer: ADA, counterparty: BEN, legs, memo_hash: BYTES };
  for (const clock of ['01:00:00', '02:00:00', '00:00:01'])
    send('settlement.MsgPropose', { ...proposal, expiry: moment(clock) });
  send('settlement.MsgAccept', { counterparty: BEN, id: '1' });
  const pledge = { actor: ADA, kind: 'KIND_PLEDGE', ...asset, holder: ADA, units: '5', beneficiary: CLEO };
  send('encumbrance.MsgCreate', { ...pledge, income_to_beneficiary: true, expiry: moment('02:00:00') });
  send('encumbrance.MsgCreate', { ...pledge, holder_release_after: moment('01:00:00') });
  send('encumbrance.MsgRelease', { actor: CLEO, id: '1', units: '2' });
  send('encumbrance.MsgRelease', { actor: CLEO, id: '2', units: '' });
  const delegated = {
    holder: ADA,
    ...asset,
    units: '6',
    delegate: BEN,
    purposes: ['PURPOSE_VOTE', 'PURPOSE_INCOME'],
    revocable: true,
  };
  for (const clock of ['00:00:01', '02:00:00'])
    send('delegation.MsgDelegate', { ...delegated, until: moment(clock) });
  const route = {
    authority: AUTHORITY,
    remote_domain: 1,
    remote_contract: REMOTE,
    window_seconds: '3600',
    outbound_limit: '10',
    inbound_limit: '10',
  };
  const right = { direction: 'DIRECTION_RIGHT_OUT', ...asset };
  const native = { direction: 'DIRECTION_NATIVE_OUT', local_denom: 'uusd' };
  const synthetic = { direction: 'DIRECTION_SYNTHETIC_IN', local_denom: 'ueth' };
  for (const [route_id, of] of Object.entries<JsonObject>({ native, right, synthetic }))
    send('bridge.MsgCreateRoute', { ...route, ...of, route_id });
  for (const route_id of ['native', 'right'])
    send('bridge.MsgTransferOut', { sender: ADA, route_id, recipient: REMOTE, amount: '7' });
  send('bridge.MsgReceiveIn', {
    relayer: RELAYER,
    route_id: 'synthetic',
    sender: REMOTE,
    recipient: ADA,
    amount: '9',
    message_id: REMOTE,
  });
  const other = createAsset(deals, ISSUER, { kinds: [kind(), kind()] });
  for (const kind_id of [0, 1])
    send('rights.MsgIssue', { issuer: ISSUER, asset_id: other, kind_id, recipient: ADA, units: '10' });
  const tiers = [
    { tier: 1, kind_id: 0, cap: '20' },
    { tier: 2, kind_id: 1, cap: '5' },
  ];
  send('waterfall.MsgSetWaterfall', { issuer: ISSUER, asset_id: other, tiers });
  send('waterfall.MsgSetWaterfall', { issuer: ISSUER, asset_id: assetId, tiers });
  send('waterfall.MsgBeginLiquidation', { initiator: ISSUER, asset_id: other, denom: '' });
  send('waterfall.MsgFund', { payer: CLEO, asset_id: other, amount: { denom: 'uusd', amount: '30' } });
  send('waterfall.MsgRedeemPool', { holder: ADA, asset_id: other, kind_id: 0, units: '3' });
  deals.at('00:00:01');
  deals.endBlock();
  return deals;
}

describe('genesis', () => {
  it('takes what the modules export', () => {
    const deals = lively();
    const again = deals.reimported();
    expect(exportsOf(again)).toEqual(exportsOf(deals));
    expect(again.invariants()).toEqual([]);
  });

  it('goes on where the other chain stood', () => {
    const chains = [lively(), lively().reimported()];
    const outcomes = chains.map((chain) => {
      chain.events();
      chain.context.timeNs += 7200n * 1_000_000_000n;
      chain.context.height = 50;
      chain.endBlock();
      return [chain.events(), exportsOf(chain)];
    });
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(JSON.stringify(outcomes[0])).toContain('settlement.EventExpired');
    expect(JSON.stringify(outcomes[0])).toContain('encumbrance.EventExpired');
    expect(JSON.stringify(outcomes[0])).toContain('delegation.EventEnded');
    const again = chains[1] as (typeof chains)[number];
    const receive = { relayer: RELAYER, route_id: 'synthetic', sender: REMOTE, recipient: ADA, amount: '1' };
    expect(again.refused('bridge.MsgReceiveIn', { ...receive, message_id: REMOTE })).toMatch(/^bridge\/17: /);
  });

  it('is empty where nothing is', () => {
    const deals = createDeals();
    expect(exportsOf(deals)).toEqual([
      { settlements: [], next_id: '1' },
      { encumbrances: [], next_id: '1' },
      { delegations: [], next_id: '1' },
      { waterfalls: [] },
      { routes: [], next_message: '0', received_message_ids: [] },
    ]);
  });
});
