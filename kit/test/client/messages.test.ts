import { describe, expect, it } from 'vitest';
import { type GivenWords, operationForm } from '../../src/client/messages.ts';
import { OPERATIONS } from '../../src/client/operations.ts';
import { openCodec } from '../../src/codec/codec.ts';
import type { JsonObject } from '../../src/proto-json.ts';

const codec = openCodec({ namespace: 'aeva' });
const ASSET = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
// 2026-11-20T10:00:00Z
const context = { nowNs: 1_795_168_800_000_000_000n };

function messageOf(line: string, options: GivenWords['options'] = {}): JsonObject {
  const [group, name, ...words] = line.split(' ');
  const operation = OPERATIONS.find((one) => one.group === group && one.name === name);
  if (operation === undefined) throw new Error(`no operation ${line}`);
  return operationForm(codec, operation).message({ words, options }, 'aeva1me', context);
}

describe('operations', () => {
  it('stand for every message of the nine modules, each by one name', () => {
    const inServices = [...codec.registry]
      .flatMap((desc) => (desc.kind === 'service' && desc.name === 'Msg' ? desc.methods : []))
      .map(({ input }) => `/${input.typeName}`)
      .filter((type) => type.startsWith('/aeva.'));
    const inOperations = OPERATIONS.map(({ typeUrl }) => typeUrl.replace('<ns>', 'aeva'));
    expect(inOperations.filter((type) => type.startsWith('/aeva.')).sort()).toEqual(inServices.sort());
    const names = OPERATIONS.map(({ group, name }) => `${group} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(OPERATIONS.map(({ group }) => group)).size).toBe(10);
  });

  it('have no option of the name of one that every tx has', () => {
    const taken = ['from', 'node', 'home', 'gas', 'fees', 'memo', 'json', 'wait', 'sequence', 'hrp', 'help'];
    for (const operation of OPERATIONS) {
      const names = operationForm(codec, operation).options.map(({ name }) => name);
      expect(names.filter((name) => taken.includes(name))).toEqual([]);
    }
  });

  it('create an asset from classes', () => {
    const kind = (name: string, bridgeable: boolean) => ({
      class: `KIND_CLASS_${name}`,
      decimals: 2,
      bundle: true,
      transferable: true,
      multiplier: '1',
      bridgeable,
    });
    expect(
      messageOf('asset create-asset economic,VOTE uusd ff00', {
        decimals: ['2'],
        bridgeable: ['true'],
        policy: ['ATTESTED:kyc:eu,aml:aeva1a'],
        roles: ['aeva1op:'],
        'distribution-denoms': ['uusd,aaeva'],
      }),
    ).toEqual({
      '@type': '/aeva.asset.v1.MsgCreateAsset',
      issuer: 'aeva1me',
      kinds: [kind('ECONOMIC', true), kind('VOTE', true)],
      settlement_denom: 'uusd',
      meta_hash: '/wA=',
      policy: { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc:eu', 'aml'], attesters: ['aeva1a'] },
      roles: { operator: 'aeva1op', releaser: '' },
      distribution_denoms: ['uusd', 'aaeva'],
    });
    const kinds = '[{"class":"KIND_CLASS_REDEMPTION","decimals":0}]';
    expect(messageOf(`asset create-asset ${kinds} uusd`).kinds).toEqual(JSON.parse(kinds));
  });

  it.each<[line: string, options: GivenWords['options'], fields: JsonObject]>([
    [`asset lock-issuance ${ASSET}`, {}, { issuer: 'aeva1me', asset_id: ASSET }],
    [
      `asset set-policy ${ASSET} closed`,
      { 'kind-id': ['0'] },
      { kind_id: 0, policy: { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] } },
    ],
    [
      `asset update-kind ${ASSET} 1 false 10 true`,
      {},
      { transferable: false, multiplier: '10', bridgeable: true },
    ],
    [`rights issue ${ASSET} 0 aeva1bob 5`, {}, { kind_id: 0, recipient: 'aeva1bob', units: '5' }],
    [
      `payout distribute ${ASSET} 1 100uusd`,
      {},
      { payer: 'aeva1me', amount: { denom: 'uusd', amount: '100' } },
    ],
    [`payout claim ${ASSET} 1 uusd encumbrance/7`, {}, { claimant: 'aeva1me', ref: 'encumbrance/7' }],
    ['settlement accept 12', {}, { counterparty: 'aeva1me', id: '12' }],
    [
      'settlement propose aeva1bob +10m',
      { give: [`${ASSET}/1/500`, '3aaeva'], take: ['250ibc/ABC'] },
      {
        expiry: '2026-11-20T10:10:00Z',
        legs: [
          {
            direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY',
            right: { asset_id: ASSET, kind_id: 1, units: '500' },
          },
          { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', coin: { denom: 'aaeva', amount: '3' } },
          { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: { denom: 'ibc/ABC', amount: '250' } },
        ],
      },
    ],
    [
      `encumbrance create pledge ${ASSET} 0 aeva1me 5`,
      { beneficiary: ['aeva1b'], 'income-to-beneficiary': ['true'], expiry: ['2026-12-01T00:00:00Z'] },
      {
        actor: 'aeva1me',
        kind: 'KIND_PLEDGE',
        beneficiary: 'aeva1b',
        income_to_beneficiary: true,
        expiry: '2026-12-01T00:00:00Z',
      },
    ],
    ['encumbrance release 3', {}, { actor: 'aeva1me', id: '3' }],
    ['encumbrance release 3 10', {}, { id: '3', units: '10' }],
    [
      'attestation attest aeva1s kyc +7d',
      { 'evidence-hash': ['00ff'] },
      { attester: 'aeva1me', evidence_hash: 'AP8=' },
    ],
    [
      `delegation delegate ${ASSET} 2 5 aeva1d +24h vote,income`,
      { revocable: ['true'] },
      { purposes: ['PURPOSE_VOTE', 'PURPOSE_INCOME'], until: '2026-11-21T10:00:00Z', revocable: true },
    ],
    [
      `waterfall set-waterfall ${ASSET} 1:0:500,2:3`,
      {},
      {
        tiers: [
          { tier: 1, kind_id: 0, cap: '500' },
          { tier: 2, kind_id: 3, cap: '0' },
        ],
      },
    ],
    ['bridge set-route-status r1 paused', {}, { authority: 'aeva1me', status: 'ROUTE_STATUS_PAUSED' }],
    [
      'bridge create-route r1 right-out',
      { 'asset-id': [ASSET], 'kind-id': ['0'], 'window-seconds': ['60'], status: ['paused'] },
      { direction: 'DIRECTION_RIGHT_OUT', kind_id: 0, window_seconds: '60', status: 'ROUTE_STATUS_PAUSED' },
    ],
    [
      'bank send aeva1b 5uusd,6aaeva',
      {},
      {
        from_address: 'aeva1me',
        amount: [
          { denom: 'aaeva', amount: '6' },
          { denom: 'uusd', amount: '5' },
        ],
      },
    ],
  ])('%s', (line, options, fields) => {
    expect(messageOf(line, options)).toMatchObject(fields);
  });

  it.each<[line: string, options: GivenWords['options'], reason: string]>([
    ['settlement accept', {}, 'settlement accept lacks <id>'],
    ['settlement accept 1 2', {}, 'has a word too many: 2'],
    ['bank send aeva1b 5uusd,6uusd', {}, 'names a denom twice'],
    ['settlement accept one', {}, "id is 'one', not a whole number"],
    ['settlement accept 99999999999999999999', {}, 'invalid'],
    [`rights issue ${ASSET} x aeva1b 5`, {}, "kind_id is 'x', not a whole number"],
    [`payout distribute ${ASSET} 0 uusd`, {}, "amount is 'uusd', not an amount and its denom"],
    [`rights issue ${ASSET} 0 aeva1b 1,5`, {}, "units is '1,5', not a whole number of the smallest unit"],
    [`rights issue ${ASSET} 0 aeva1b 1.5`, {}, "units is '1.5', not a whole number of the smallest unit"],
    [`rights issue ${ASSET} 0 aeva1b -5`, {}, "units is '-5', not a whole number of the smallest unit"],
    [`rights issue ${ASSET} 0 aeva1b １５`, {}, "units is '１５', not a whole number of the smallest unit"],
    [`payout distribute ${ASSET} 0 1,5uusd`, {}, "amount is '1,5uusd', not an amount and its denom"],
    ['bank send aeva1b 1,500uusd', {}, "amount is '1', not an amount and its denom"],
    ['settlement propose aeva1b +1h', { give: [`${ASSET}/1/1,5`] }, "units of a leg is '1,5', not a whole"],
    [`waterfall set-waterfall ${ASSET} 1:0:1.5`, {}, "the cap is '1.5', not a whole number"],
    [
      'bridge create-route r1 right-out',
      { 'outbound-limit': ['1,5'] },
      "outbound_limit is '1,5', not a whole",
    ],
    ['asset create-asset ECONOMIC,GOLD uusd', {}, "kinds has 'GOLD', not one of"],
    ['asset create-asset ECONOMIC uusd xyz', {}, "meta_hash is 'xyz', not hex"],
    [`asset set-policy ${ASSET} shut`, {}, "policy is 'shut', not OPEN, CLOSED or"],
    [`asset update-kind ${ASSET} 1 yes 1 true`, {}, "transferable is 'yes', not true or false"],
    ['settlement propose aeva1b tomorrow', {}, "expiry is 'tomorrow', not an RFC 3339 time"],
    ['settlement propose aeva1b +1h', { give: ['abc/1/2'] }, "a leg is 'abc/1/2'"],
    [`delegation delegate ${ASSET} 2 5 aeva1d +24h gold`, {}, "purposes is 'gold', not one of VOTE, INCOME"],
    ['asset create-asset [{ uusd', {}, 'kinds begins like JSON and is none'],
    ['asset create-asset [{"klass":1}] uusd', {}, 'has no field klass'],
  ])('refuse %s', (line, options, reason) => {
    expect(() => messageOf(line, options)).toThrow(reason);
  });
});
