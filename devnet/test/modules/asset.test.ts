import { bytesToHex } from 'strata-kit/bytes';
import { assetIdOf, bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { describe, expect, it } from 'vitest';
import { requireActive, requireAsset, setStatus, tokenAt } from '../../src/modules/asset/keeper.ts';
import { address } from '../support/context.ts';
import { createAsset, createModules, kind } from '../support/modules.ts';

const ISSUER = address(0x11);
const OTHER = address(2);
/** Of the issuer 20 × 0x11 and nonce 0: modules.md, section 1. */
const FIRST = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';

describe('the names of an asset', () => {
  it('are those of the test vector', () => {
    expect(assetIdOf('aeva', new Uint8Array(20).fill(0x11), 0n)).toBe(FIRST);
    expect(bytesToHex(bundleAddressOf('aeva', FIRST))).toBe('f03ca174a4f58c57e76960ec8eadde1f88aac3a3');
    expect(bytesToHex(rightAddressOf('aeva', FIRST, 0))).toBe('ae855a47f452acd8007d1051493b49f5478742dd');
  });

  it('are answered by the chain, and lead back to the asset', () => {
    const modules = createModules();
    expect(createAsset(modules, ISSUER, { kinds: [kind(), kind()] })).toBe(FIRST);
    const { tokens } = modules.query('rights.Tokens', { asset_id: FIRST });
    const found = (tokens as readonly JsonObject[]).map(({ kind_id, bundle, address: at }) => [
      kind_id ?? null,
      bundle ?? null,
      String(at).toLowerCase(),
    ]);
    expect(found.slice(0, 2)).toEqual([
      [null, true, '0xf03ca174a4f58c57e76960ec8eadde1f88aac3a3'],
      [0, false, '0xae855a47f452acd8007d1051493b49f5478742dd'],
    ]);
    expect(found).toHaveLength(3);
    const at = (hex: string) => tokenAt(modules.context.state, Buffer.from(hex, 'hex'));
    expect(at('f03ca174a4f58c57e76960ec8eadde1f88aac3a3')).toEqual({ assetId: FIRST, kindId: null });
    expect(at('ae855a47f452acd8007d1051493b49f5478742dd')).toEqual({ assetId: FIRST, kindId: 0 });
    expect(at('00'.repeat(20))).toBeUndefined();
  });
});

describe('CreateAsset', () => {
  it('says all of the asset, and counts the nonce', () => {
    const modules = createModules();
    const term = { starts_at: '2026-01-01T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' };
    const message = {
      issuer: ISSUER,
      policy: { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc'], attesters: [OTHER] },
      roles: { operator: OTHER, releaser: '' },
      meta_hash: Buffer.alloc(32, 7).toString('base64'),
      settlement_denom: 'uusd',
      liens_allowed: true,
      distribution_denoms: ['uatom'],
      kinds: [
        kind(),
        kind({
          class: 'KIND_CLASS_INCOME',
          transferable: false,
          term,
          bundle: false,
          decimals: 2,
          multiplier: '4',
        }),
      ],
    };
    expect(modules.send('asset.MsgCreateAsset', message)).toEqual({ asset_id: FIRST });
    expect(modules.events()).toEqual([
      {
        type: 'asset.EventAssetCreated',
        fields: {
          asset_id: FIRST,
          issuer: ISSUER,
          nonce: '0',
          status: 'ASSET_STATUS_ACTIVE',
          policy: { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc'], attesters: [OTHER] },
          roles: { operator: OTHER, releaser: '' },
          meta_hash: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
          settlement_denom: 'uusd',
          liens_allowed: true,
          distribution_denoms: ['uatom'],
          kinds: [
            {
              kind_id: 0,
              class: 'KIND_CLASS_ECONOMIC',
              decimals: 6,
              bundle: true,
              transferable: true,
              term: null,
              multiplier: '1',
              bridgeable: false,
            },
            {
              kind_id: 1,
              class: 'KIND_CLASS_INCOME',
              decimals: 2,
              bundle: false,
              transferable: false,
              term,
              multiplier: '4',
              bridgeable: false,
            },
          ],
        },
      },
    ]);
    expect(modules.query('asset.NextNonce', { issuer: ISSUER })).toEqual({ next_nonce: '1' });
    expect(modules.query('asset.NextNonce', { issuer: OTHER })).toEqual({ next_nonce: '0' });
    expect(createAsset(modules, ISSUER)).not.toBe(FIRST);
    expect(modules.query('asset.NextNonce', { issuer: ISSUER })).toEqual({ next_nonce: '2' });
  });

  it('is OPEN without a policy', () => {
    const modules = createModules();
    createAsset(modules, ISSUER);
    expect(modules.events()[0]?.fields.policy).toEqual({
      mode: 'POLICY_MODE_OPEN',
      required_types: [],
      attesters: [],
    });
  });

  const attested = (change: JsonObject) => ({
    policy: { mode: 'POLICY_MODE_ATTESTED', required_types: ['kyc'], attesters: [OTHER], ...change },
  });
  const many = (count: number, of: (i: number) => Json) => Array.from({ length: count }, (_, i) => of(i));
  it.each<readonly [string, JsonObject, string]>([
    ['no kinds', { kinds: [] }, 'asset/2: kinds: 0, not 1 to 128'],
    ['too many kinds', { kinds: many(129, () => kind()) }, 'asset/2: kinds: 129, not 1 to 128'],
    [
      'bundle kinds of different decimals',
      { kinds: [kind(), kind({ decimals: 2 })] },
      'asset/5: bundle kinds have different decimals: 6, 2',
    ],
    ['too many decimals', { kinds: [kind({ decimals: 19 })] }, 'asset/2: decimals: 19, more than 18'],
    ['no class', { kinds: [kind({ class: 'KIND_CLASS_UNSPECIFIED' })] }, 'asset/2: class: not one of'],
    ['a multiplier of 0', { kinds: [kind({ multiplier: '0' })] }, 'asset/2: multiplier: zero, 1 is none'],
    [
      'a term that ends as it starts',
      { kinds: [kind({ term: { starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-01-01T00:00:00Z' } })] },
      'asset/2: term: ends_at is not after starts_at',
    ],
    [
      'a settlement denom that is none',
      { settlement_denom: '1usd' },
      'asset/2: settlement_denom: not a denom',
    ],
    [
      'a meta hash of 31 bytes',
      { meta_hash: Buffer.alloc(31).toString('base64') },
      'asset/2: meta_hash: 31 bytes',
    ],
    [
      'a denom twice',
      { distribution_denoms: ['uatom', 'uatom'] },
      'asset/2: distribution_denoms: one stands',
    ],
    [
      'too many denoms',
      { distribution_denoms: many(33, (i) => `denom${i}`) },
      'asset/2: distribution_denoms: 33, more than 32',
    ],
    ['a wrong role', { roles: { operator: 'nobody', releaser: '' } }, 'asset/2: operator: not an address'],
    ['a policy without a mode', { policy: { mode: 'POLICY_MODE_UNSPECIFIED' } }, 'asset/2: mode: not one of'],
    ['ATTESTED without types', attested({ required_types: [] }), 'asset/2: required_types and attesters go'],
    ['ATTESTED without attesters', attested({ attesters: [] }), 'asset/2: required_types and attesters go'],
    [
      'CLOSED with types',
      attested({ mode: 'POLICY_MODE_CLOSED' }),
      'asset/2: required_types and attesters go',
    ],
    ['a type that is none', attested({ required_types: ['a/b'] }), 'asset/2: required_types: a/b is no'],
    [
      'too many types',
      attested({ required_types: many(17, (i) => `t${i}`) }),
      'asset/2: required_types: 17, more than 16',
    ],
    [
      'too many attesters',
      attested({ attesters: many(65, (i) => address(i + 1)) }),
      'asset/2: attesters: 65, more than 64',
    ],
  ])('refuses %s', (_, change, text) => {
    const modules = createModules();
    const message = { issuer: ISSUER, settlement_denom: 'uusd', kinds: [kind()], ...change };
    expect(modules.refused('asset.MsgCreateAsset', message)).toContain(text);
    expect(modules.query('asset.Export', {})).toEqual({ assets: [], nonces: [] });
  });
});

describe('the issuer alone', () => {
  const CHANGES: readonly (readonly [
    message: string,
    fields: JsonObject,
    event: string,
    said: JsonObject,
  ])[] = [
    ['MsgLockIssuance', {}, 'EventIssuanceLocked', {}],
    [
      'MsgSetPolicy',
      { policy: { mode: 'POLICY_MODE_CLOSED' } },
      'EventPolicySet',
      { policy: { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] } },
    ],
    [
      'MsgSetPolicy',
      { kind_id: 0, policy: { mode: 'POLICY_MODE_CLOSED' } },
      'EventPolicySet',
      { kind_id: 0, policy: { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] } },
    ],
    ['MsgSetPolicy', { kind_id: 0 }, 'EventPolicySet', { kind_id: 0, policy: null }],
    [
      'MsgSetRoles',
      { roles: { operator: '', releaser: OTHER } },
      'EventRolesSet',
      { roles: { operator: '', releaser: OTHER } },
    ],
    [
      'MsgUpdateKind',
      { kind_id: 0, transferable: false, multiplier: '3', bridgeable: true },
      'EventKindUpdated',
      { kind_id: 0, transferable: false, multiplier: '3', bridgeable: true },
    ],
    [
      'MsgUpdateAsset',
      { liens_allowed: true, distribution_denoms: ['uatom'] },
      'EventAssetUpdated',
      { liens_allowed: true, distribution_denoms: ['uatom'] },
    ],
  ];

  it.each(CHANGES)('may %s %j', (message, fields, event, said) => {
    const modules = createModules();
    createAsset(modules, ISSUER);
    modules.events();
    const asked = { issuer: ISSUER, asset_id: FIRST, ...fields };
    expect(modules.refused(`asset.${message}`, { ...asked, issuer: OTHER })).toBe(
      `asset/3: ${OTHER} is not the issuer of asset ${FIRST}`,
    );
    const unknown = 'ab'.repeat(32);
    expect(modules.refused(`asset.${message}`, { ...asked, asset_id: unknown })).toBe(
      `asset/20: unknown asset ${unknown}`,
    );
    modules.send(`asset.${message}`, asked);
    expect(modules.events()).toEqual([{ type: `asset.${event}`, fields: { asset_id: FIRST, ...said } }]);
  });

  it('changes the record, which the chain answers', () => {
    const modules = createModules();
    createAsset(modules, ISSUER);
    for (const [message, fields] of CHANGES.filter((_, i) => i !== 3))
      modules.send(`asset.${message}`, { issuer: ISSUER, asset_id: FIRST, ...fields });
    const closed = { mode: 'POLICY_MODE_CLOSED', required_types: [], attesters: [] };
    expect(modules.query('asset.Asset', { asset_id: FIRST }).asset).toMatchObject({
      policy: closed,
      policy_overrides: [{ kind_id: 0, policy: closed }],
      roles: { operator: '', releaser: OTHER },
      issuance_locked: true,
      liens_allowed: true,
      distribution_denoms: ['uatom'],
      kinds: [{ transferable: false, multiplier: '3', bridgeable: true }],
    });
    modules.send('asset.MsgSetPolicy', { issuer: ISSUER, asset_id: FIRST, kind_id: 0 });
    expect(modules.query('asset.Asset', { asset_id: FIRST }).asset).toMatchObject({ policy_overrides: [] });
  });

  it.each<readonly [string, JsonObject, string]>([
    ['MsgSetPolicy', {}, 'asset/2: policy: an asset is never without one'],
    ['MsgSetPolicy', { kind_id: 1 }, `asset/21: asset ${FIRST} has no kind 1`],
    ['MsgUpdateKind', { kind_id: 1, multiplier: '1' }, `asset/21: asset ${FIRST} has no kind 1`],
    ['MsgUpdateKind', { kind_id: 0, multiplier: '0' }, 'asset/2: multiplier: zero, 1 is none'],
  ])('is refused %s %j', (message, fields, text) => {
    const modules = createModules();
    createAsset(modules, ISSUER);
    expect(modules.refused(`asset.${message}`, { issuer: ISSUER, asset_id: FIRST, ...fields })).toBe(text);
  });

  it('locks issuance once', () => {
    const modules = createModules();
    createAsset(modules, ISSUER);
    const lock = { issuer: ISSUER, asset_id: FIRST };
    modules.send('asset.MsgLockIssuance', lock);
    expect(modules.refused('asset.MsgLockIssuance', lock)).toBe(
      `asset/4: issuance of asset ${FIRST} is locked already`,
    );
  });
});

it('says each change of status, and refuses what needs an active asset', () => {
  const modules = createModules();
  const { context } = modules;
  createAsset(modules, ISSUER);
  modules.events();
  requireActive(requireAsset(context, FIRST), 'Issue');
  setStatus(context, FIRST, 'ASSET_STATUS_LIQUIDATING');
  expect(modules.events()).toEqual([
    {
      type: 'asset.EventAssetStatusSet',
      fields: { asset_id: FIRST, status: 'ASSET_STATUS_LIQUIDATING' },
    },
  ]);
  expect(context.refusal(() => requireActive(requireAsset(context, FIRST), 'Issue'))).toBe(
    `asset/22: Issue is refused: asset ${FIRST} is ASSET_STATUS_LIQUIDATING`,
  );
});

it('answers an unknown asset as the SDK does', () => {
  const modules = createModules();
  const query = () => modules.query('asset.Asset', { asset_id: FIRST });
  expect(modules.context.refusal(query)).toBe(`sdk/38: asset ${FIRST}: not found`);
});
