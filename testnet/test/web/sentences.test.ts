import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventSentence, HAPPENINGS } from '../../web/src/text/sentences/events.ts';
import type { Fields } from '../../web/src/text/sentences/fields.ts';
import { reasonSentence } from '../../web/src/text/sentences/reasons.ts';
import { plain, type Sentence } from '../../web/src/text/sentences/sentence.ts';
import { ACTS, messageSentence, type SentenceTx, txWords } from '../../web/src/text/sentences/txs.ts';

const PROTO = join(import.meta.dirname, '../../../proto/aeva');
const ASSET = '4729'.padEnd(64, 'a');
const ada = 'aeva1ada';
const ben = 'aeva1ben';
const UNITS = { asset_id: ASSET, kind_id: 1, units: '12000000' };
const USD = { denom: 'uusd', amount: '5' };
const UNTIL = '2026-11-23T03:36:52.011Z';
const LEGS = [
  { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', right: UNITS },
  { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: USD },
];
const twelve = `12000000 base units of kind 1 of ${ASSET}`;

/** Names of proto's files of every module: `rights.v1.MsgIssue`, `rights.v1.EventIssued`. */
function declared(file: 'tx' | 'events', pattern: RegExp): string[] {
  return readdirSync(PROTO).flatMap((module) =>
    [...readFileSync(join(PROTO, module, 'v1', `${file}.proto`), 'utf8').matchAll(pattern)].map(
      ([, name]) => `${module}.v1.${name}`,
    ),
  );
}

function txOf(type: string, message: Fields, rest: Partial<SentenceTx> = {}): SentenceTx {
  return { code: 0, msgs: [{ '@type': `/aeva.${type}`, ...message }], evm: null, events: [], ...rest };
}

function event(type: string, decoded: Fields, msgIndex = 0): SentenceTx['events'][number] {
  return { type: `aeva.${type}`, msg_index: msgIndex, decoded, attributes: [] };
}

describe('sentences', () => {
  it('says whole shares over the bridge, and begins with a capital also where a number begins it', () => {
    const recipient = `0x${'0'.repeat(60)}040e`;
    const out = { route_id: 'r-1', sender: ada, recipient, amount: '7', asset_id: ASSET, bundle: true };
    expect(plain(eventSentence('aeva.bridge.v1.EventTransferOut', out))).toBe(
      `${ada} sent 7 base units of whole shares of ${ASSET} to 0x000000…00040e on another chain, over the route r-1`,
    );
    expect(
      plain(eventSentence('aeva.settlement.v1.EventExpired', { id: '3', proposer: ada, counterparty: ben })),
    ).toBe(`Settlement 3 between ${ada} and ${ben} expired`);
  });

  it('has one for every message and every event of proto, and no other of these modules', () => {
    const messages = declared('tx', /rpc \w+\((Msg\w+)\)/g);
    expect(messages.length).toBeGreaterThan(30);
    expect(
      Object.keys(ACTS)
        .filter((type) => !type.startsWith('bank.'))
        .toSorted(),
    ).toEqual(messages.toSorted());
    expect(Object.keys(HAPPENINGS).toSorted()).toEqual(declared('events', /message (Event\w+)/g).toSorted());
  });

  it.each<[string, Fields, string]>([
    ['rights.v1.MsgTransfer', { ...UNITS, from: ada, to: ben }, `${ada} transferred ${twelve} to ${ben}`],
    ['rights.v1.MsgIssue', { ...UNITS, issuer: ada, recipient: ben }, `${ada} issued ${twelve} to ${ben}`],
    ['rights.v1.MsgRedeem', { ...UNITS, holder: ada }, `${ada} redeemed ${twelve}, which ends them`],
    [
      'payout.v1.MsgDistribute',
      { ...UNITS, payer: ada, amount: USD },
      `${ada} distributed 5 uusd to the holders of kind 1 of ${ASSET}`,
    ],
    [
      'payout.v1.MsgClaim',
      { ...UNITS, claimant: ada, denom: 'uusd', ref: 'encumbrance/3' },
      `${ada} claimed income from kind 1 of ${ASSET}, routed by encumbrance 3`,
    ],
    [
      'asset.v1.MsgCreateAsset',
      { issuer: ada, kinds: [{ class: 'KIND_CLASS_ECONOMIC' }, { class: 'KIND_CLASS_INCOME' }] },
      `${ada} created an asset with 2 kinds of rights (economic, income)`,
    ],
    [
      'asset.v1.MsgLockIssuance',
      { issuer: ada, asset_id: ASSET },
      `${ada} ended issuance of ${ASSET} for good`,
    ],
    [
      'asset.v1.MsgSetPolicy',
      { issuer: ada, asset_id: ASSET, kind_id: 1, policy: null },
      `${ada} took away the policy of kind 1 of ${ASSET}; the asset's own applies again`,
    ],
    [
      'asset.v1.MsgSetPolicy',
      {
        issuer: ada,
        asset_id: ASSET,
        kind_id: null,
        policy: { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc', 'eu'] },
      },
      `${ada} set the policy of ${ASSET}: whoever receives must be attested as kyc and eu`,
    ],
    [
      'asset.v1.MsgSetRoles',
      { issuer: ada, asset_id: ASSET, roles: { operator: ben, releaser: '' } },
      `${ada} set the operator of ${ASSET} to ${ben} and the releaser to nobody`,
    ],
    [
      'asset.v1.MsgUpdateKind',
      { issuer: ada, ...UNITS, transferable: true, bridgeable: false, multiplier: '10' },
      `${ada} set the rules of kind 1 of ${ASSET}: transfers allowed, bridging not allowed, amounts shown times 10`,
    ],
    [
      'asset.v1.MsgUpdateAsset',
      { issuer: ada, asset_id: ASSET, liens_allowed: true, distribution_denoms: ['uusd'] },
      `${ada} set the terms of ${ASSET}: liens allowed, income paid also in uusd`,
    ],
    [
      'attestation.v1.MsgAttest',
      { attester: ada, subject: ben, type: 'kyc', expiry: UNTIL },
      `${ada} attested ${ben} as kyc, until ${UNTIL}`,
    ],
    [
      'attestation.v1.MsgRevoke',
      { attester: ada, subject: ben, type: 'kyc' },
      `${ada} took back the attestation kyc of ${ben}`,
    ],
    [
      'delegation.v1.MsgDelegate',
      { ...UNITS, holder: ada, delegate: ben, until: UNTIL, purposes: ['PURPOSE_VOTE', 'PURPOSE_INCOME'] },
      `${ada} delegated the vote and income of ${twelve} to ${ben}, until ${UNTIL}`,
    ],
    ['delegation.v1.MsgRevoke', { holder: ada, id: '7' }, `${ada} took back delegation 7`],
    ['delegation.v1.MsgReturn', { delegate: ada, id: '7' }, `${ada} gave back delegation 7`],
    [
      'encumbrance.v1.MsgCreate',
      {
        ...UNITS,
        kind: 'KIND_PLEDGE',
        actor: ada,
        holder: ada,
        beneficiary: ben,
        income_to_beneficiary: true,
      },
      `${ada} pledged ${twelve} to ${ben}, with the income`,
    ],
    [
      'encumbrance.v1.MsgCreate',
      { ...UNITS, kind: 'KIND_LIEN', actor: ada, holder: ben, beneficiary: '' },
      `${ada} laid a lien on ${twelve} held by ${ben}`,
    ],
    [
      'encumbrance.v1.MsgRelease',
      { actor: ada, id: '9', units: '' },
      `${ada} released all that is left of encumbrance 9`,
    ],
    ['encumbrance.v1.MsgExercise', { actor: ada, id: '9' }, `${ada} took what is left of encumbrance 9`],
    [
      'settlement.v1.MsgPropose',
      { proposer: ada, counterparty: ben, legs: LEGS, expiry: UNTIL },
      `${ada} offered ${twelve} to ${ben} for 5 uusd, until ${UNTIL}`,
    ],
    ['settlement.v1.MsgAccept', { counterparty: ada, id: '3' }, `${ada} accepted settlement 3`],
    ['settlement.v1.MsgCancel', { actor: ada, id: '3' }, `${ada} cancelled settlement 3`],
    [
      'waterfall.v1.MsgSetWaterfall',
      {
        issuer: ada,
        asset_id: ASSET,
        tiers: [
          { tier: 2, kind_id: 0 },
          { tier: 1, kind_id: 3 },
        ],
      },
      `${ada} set the order in which a liquidation of ${ASSET} pays: kind 3, then kind 0`,
    ],
    [
      'waterfall.v1.MsgBeginLiquidation',
      { initiator: ada, asset_id: ASSET, denom: 'uusd' },
      `${ada} began the liquidation of ${ASSET}, paid in uusd`,
    ],
    [
      'waterfall.v1.MsgFund',
      { payer: ada, asset_id: ASSET, amount: USD },
      `${ada} paid 5 uusd into the liquidation of ${ASSET}`,
    ],
    [
      'waterfall.v1.MsgRedeemPool',
      { ...UNITS, holder: ada },
      `${ada} gave up ${twelve} for a part of the redemption pool`,
    ],
    [
      'waterfall.v1.MsgCloseLiquidation',
      { issuer: ada, asset_id: ASSET },
      `${ada} closed the liquidation of ${ASSET}`,
    ],
    [
      'bridge.v1.MsgCreateRoute',
      { authority: ada, route_id: 'uusd-1', direction: 'DIRECTION_NATIVE_OUT' },
      `${ada} opened the bridge's route uusd-1, by which a coin of this chain goes out`,
    ],
    [
      'bridge.v1.MsgSetRouteStatus',
      { authority: ada, route_id: 'uusd-1', status: 'ROUTE_STATUS_PAUSED' },
      `${ada} paused the bridge's route uusd-1`,
    ],
    [
      'bridge.v1.MsgSetLimits',
      { authority: ada, route_id: 'uusd-1' },
      `${ada} set how much may cross the bridge's route uusd-1`,
    ],
    [
      'bridge.v1.MsgTransferOut',
      { sender: ada, route_id: 'uusd-1', recipient: '0x04', amount: '7' },
      `${ada} sent 7 base units to 0x04 on another chain, over the route uusd-1`,
    ],
    [
      'bridge.v1.MsgReceiveIn',
      { relayer: ada, route_id: 'uusd-1', sender: '0x04', recipient: ben, amount: '7' },
      `${ada} delivered 7 base units from 0x04 on another chain to ${ben}, over the route uusd-1`,
    ],
    [
      'bank.v1beta1.MsgSend',
      { from_address: ada, to_address: ben, amount: [USD, { denom: 'aaeva', amount: '1' }] },
      `${ada} sent 5 uusd and 1 aaeva to ${ben}`,
    ],
  ])('says %s', (type, message, expected) => {
    expect(plain(txWords(txOf(type, message)).sentence)).toBe(expected);
  });

  it('takes from the events what the message does not tell', () => {
    const told = (type: string, message: Fields, ...events: SentenceTx['events']) =>
      plain(txWords(txOf(type, message, { events })).sentence);
    expect(
      told(
        'payout.v1.MsgClaim',
        { ...UNITS, claimant: ada },
        event('payout.v1.EventClaimed', { amount: '9', denom: 'uusd' }),
      ),
    ).toBe(`${ada} claimed 9 uusd from kind 1 of ${ASSET}`);
    expect(
      told(
        'settlement.v1.MsgAccept',
        { counterparty: ada, id: '3' },
        event('settlement.v1.EventSettled', { proposer: ben }),
      ),
    ).toBe(`${ada} accepted settlement 3 of ${ben}; both sides have moved`);
    // another message's event is not this one's
    expect(
      told(
        'payout.v1.MsgClaim',
        { ...UNITS, claimant: ada },
        event('payout.v1.EventClaimed', { amount: '9', denom: 'uusd' }, 1),
      ),
    ).toBe(`${ada} claimed income from kind 1 of ${ASSET}`);
  });

  it.each<[string, Fields, string]>([
    ['rights.v1.MsgRedeem', { ...UNITS, holder: ada }, `${ada} tried to redeem ${twelve}`],
    [
      'asset.v1.MsgSetPolicy',
      { issuer: ada, asset_id: ASSET, kind_id: 1 },
      `${ada} tried to take away the policy of kind 1 of ${ASSET}`,
    ],
    [
      'encumbrance.v1.MsgCreate',
      { ...UNITS, kind: 'KIND_LIEN', actor: ada, holder: ben, beneficiary: 'aeva1cai' },
      `${ada} tried to lay a lien on ${twelve} held by ${ben}, in favour of aeva1cai`,
    ],
    [
      'encumbrance.v1.MsgRelease',
      { actor: ada, id: '9', units: '5' },
      `${ada} tried to release a part of encumbrance 9`,
    ],
    [
      'waterfall.v1.MsgSetWaterfall',
      { issuer: ada, asset_id: ASSET, tiers: [] },
      `${ada} tried to set the order in which a liquidation of ${ASSET} pays: nobody`,
    ],
  ])('tells of a failed %s nothing that was not done', (type, message, expected) => {
    expect(plain(txWords(txOf(type, message, { code: 5, raw_log: 'x' })).sentence)).toBe(expected);
  });

  it.each<[string, Fields, string]>([
    [
      'encumbrance.v1.MsgCreate',
      { ...UNITS, kind: 'KIND_PLEDGE', actor: ada, holder: ada, beneficiary: ben },
      `${ada} pledged ${twelve} to ${ben} (encumbrance 9)`,
    ],
    [
      'settlement.v1.MsgPropose',
      { proposer: ada, counterparty: ben, legs: LEGS, expiry: UNTIL },
      `${ada} offered ${twelve} to ${ben} for 5 uusd, until ${UNTIL} (settlement 9)`,
    ],
  ])('puts the number that %s was given into brackets', (type, message, expected) => {
    const events = ['encumbrance.v1.EventCreated', 'settlement.v1.EventProposed'].map((each) =>
      event(each, { id: '9' }),
    );
    expect(plain(txWords(txOf(type, message, { events })).sentence)).toBe(expected);
  });

  it.each<[string, Fields, string]>([
    ['rights.v1.EventIssued', { recipient: ben }, `${ben} received ${twelve}, newly issued`],
    [
      'rights.v1.EventLocked',
      { ref: 'settlement/3', holder: ada },
      `Settlement 3 locked ${twelve} held by ${ada}`,
    ],
    [
      'rights.v1.EventUnlocked',
      { ref: 'delegation/3', holder: ada },
      `Delegation 3 freed ${twelve} held by ${ada}`,
    ],
    [
      'asset.v1.EventPolicySet',
      { policy: { mode: 'POLICY_MODE_OPEN' } },
      `The policy of kind 1 of ${ASSET} is now: everyone may receive`,
    ],
    [
      'asset.v1.EventPolicySet',
      {},
      `The policy of kind 1 of ${ASSET} was taken away; the asset's own applies again`,
    ],
    [
      'asset.v1.EventAssetStatusSet',
      { status: 'ASSET_STATUS_LIQUIDATING' },
      `The asset ${ASSET} is now being wound up`,
    ],
    [
      'settlement.v1.EventProposed',
      {
        proposer: ada,
        counterparty: ben,
        id: '3',
        legs: [
          { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', right: { ...UNITS, kind_id: 0 } },
          ...LEGS,
          { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', right: { ...UNITS, units: '1' } },
        ],
      },
      `${ada} offered 12000000 base units of kind 0 and ${twelve} to ${ben} for 5 uusd and 1 base unit of kind 1 of ${ASSET} (settlement 3)`,
    ],
    [
      'asset.v1.EventRolesSet',
      { roles: { operator: ada } },
      `The operator of ${ASSET} is now ${ada} and the releaser is now nobody`,
    ],
    [
      'waterfall.v1.EventWaterfallSet',
      { tiers: [{ tier: 1, kind_id: 0 }] },
      `The order in which a liquidation of ${ASSET} pays is now: kind 0`,
    ],
    [
      'waterfall.v1.EventPoolOpened',
      { amount: '1', denom: 'uusd' },
      `What holders of kind 1 of ${ASSET} may redeem grew by 1 uusd`,
    ],
    [
      'payout.v1.EventClaimed',
      { holder: ada, amount: '5', denom: 'uusd', routed_from: ben, ref: 'encumbrance/3' },
      `${ada} claimed 5 uusd from kind 1 of ${ASSET} held by ${ben}, routed by encumbrance 3`,
    ],
  ])('says what happened: %s', (type, fields, expected) => {
    expect(plain(eventSentence(`aeva.${type}`, { ...UNITS, ...fields }))).toBe(expected);
  });

  it('says the state of an asset in a reason as its page does', () => {
    expect(plain(reasonSentence(`Issue is refused: asset ${ASSET} is ASSET_STATUS_LIQUIDATED`))).toBe(
      `Issue is refused: asset ${ASSET} is wound up`,
    );
  });

  it('writes coins of a reason as coins', () => {
    const [, , ...rest] = reasonSentence(`${'aeva1'.padEnd(43, 'q')} has 7uusd, not 1200000uusd`);
    expect(rest).toEqual([
      { is: 'coin', amount: '7', denom: 'uusd' },
      { is: 'text', text: ', not ' },
      { is: 'coin', amount: '1200000', denom: 'uusd' },
    ]);
    expect(reasonSentence('0x12ab and 9z')).toEqual([{ is: 'text', text: '0x12ab and 9z' }]);
  });

  it('makes one sentence of several messages, and counts what would be too long', () => {
    const issue = { '@type': '/aeva.rights.v1.MsgIssue', ...UNITS, issuer: ada, recipient: ben };
    const lock = { '@type': '/aeva.asset.v1.MsgLockIssuance', issuer: ada, asset_id: ASSET };
    const of = (msgs: readonly Fields[]) => plain(txWords({ ...txOf('', {}), msgs }).sentence);
    expect(of([issue, lock])).toBe(
      `${ada} issued ${twelve} to ${ben} and ended issuance of ${ASSET} for good`,
    );
    expect(of([issue, issue, issue, lock])).toBe(
      `${ada} issued ${twelve} to ${ben}, issued ${twelve} to ${ben} and did 2 more things`,
    );
  });

  it('says of a failure what was tried and why it failed', () => {
    const raw = `failed to execute message; message index: 0: policy denied: asset/${ASSET}/kind/1/override/ATTESTED/kyc/recipient`;
    const { sentence, inShort, reason } = txWords(
      txOf('rights.v1.MsgTransfer', { ...UNITS, from: ada, to: ben }, { code: 23, raw_log: raw }),
    );
    expect(plain(sentence)).toBe(`${ada} tried to transfer ${twelve} to ${ben}`);
    expect(plain(inShort)).toBe(`Tried to transfer ${twelve} to ${ben}`);
    expect(plain(reason ?? [])).toBe(
      `the policy of kind 1 of ${ASSET} asks that whoever receives kind 1 is attested as kyc, and the recipient is not, or not by those whose word counts`,
    );
  });

  it('is honest about what it does not know', () => {
    const tx = txOf(
      'novel.v2.MsgDoMuch',
      { value: 'AAA=' },
      {
        events: [
          { type: 'tx', msg_index: null, decoded: null, attributes: [{ key: 'fee_payer', value: ada }] },
        ],
      },
    );
    expect(plain(txWords(tx).sentence)).toBe(`${ada} sent the message Do much of novel`);
    expect(plain(eventSentence('aeva.novel.v2.EventDone', {}))).toBe(
      'Done (novel), an event that has no words here',
    );
    expect(plain(txWords({ ...txOf('', {}), msgs: [], code: 2, raw_log: 'tx parse error' }).sentence)).toBe(
      'Somebody sent bytes that are no transaction',
    );
  });

  it('links to the pages that there are', () => {
    const hrefs = (sentence: Sentence) =>
      sentence.flatMap((part) => (typeof part === 'object' && part.is === 'link' ? [part.href] : []));
    expect(hrefs(eventSentence('aeva.bridge.v1.EventRouteUpdated', { route_id: 'a b/c' }))).toEqual([
      '/bridge?route=a%20b%2Fc',
    ]);
    expect(hrefs(eventSentence('aeva.rights.v1.EventLocked', { ref: 'encumbrance/9' }))).toEqual([
      '/encumbrance/9',
    ]);
    expect(hrefs(eventSentence('aeva.rights.v1.EventLocked', { ref: 'javascript:alert(1)' }))).toEqual([]);
  });

  /** What pages give to BigInt and to links. */
  function believable(sentence: Sentence): boolean {
    return sentence.every((part) => {
      if (typeof part === 'string') return true;
      if (part.is === 'asset') return /^[0-9a-f]{64}$/.test(part.id);
      if (part.is === 'units') return /^\d+$/.test(part.units);
      return !('amount' in part) || /^-?\d+$/.test(part.amount);
    });
  }

  it('never throws, whatever the fields hold, and gives pages no amount that is none', () => {
    const hostile: readonly unknown[] = [
      undefined,
      null,
      'x',
      '1e9',
      -1,
      1.5,
      [],
      [null],
      {},
      { amount: {} },
      [{ right: 7 }],
    ];
    const names = [
      'asset_id',
      'units',
      'amount',
      'kinds',
      'legs',
      'tiers',
      'policy',
      'roles',
      'expiry',
      'id',
      'purposes',
      'inputs',
    ];
    for (const value of hostile) {
      const fields = Object.fromEntries(names.map((name) => [name, value]));
      for (const type of Object.keys(ACTS))
        expect(plain(messageSentence(txOf(type, fields), 0))).not.toBe('');
      for (const type of Object.keys(HAPPENINGS))
        expect(plain(eventSentence(`aeva.${type}`, fields))).not.toBe('');
      for (const type of Object.keys(ACTS))
        expect([type, value, believable(messageSentence(txOf(type, fields), 0))]).toEqual([
          type,
          value,
          true,
        ]);
      for (const type of Object.keys(HAPPENINGS))
        expect([type, value, believable(eventSentence(`aeva.${type}`, fields))]).toEqual([type, value, true]);
    }
  });
});
