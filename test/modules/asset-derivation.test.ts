import { encodeBech32 } from 'strata-kit/address';
import { describe, expect, it } from 'vitest';
import type { BlockFacts, EventFact } from '../../src/derive/facts.ts';
import { NO_MORE_FACTS } from '../../src/derive/facts.ts';
import { asset } from '../../src/modules/asset/module.ts';
import { deriveAll } from './support/derive.ts';
import type { Rows } from './support/versions.ts';

/** modules.md, section 1: the asset that twenty bytes of 0x11 create first. */
const ISSUER = encodeBech32('aeva', new Uint8Array(20).fill(0x11));
const ASSET = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
const BUNDLE = 'f03ca174a4f58c57e76960ec8eadde1f88aac3a3';
const KIND_0 = 'ae855a47f452acd8007d1051493b49f5478742dd';

const OPEN = { mode: 'POLICY_MODE_OPEN', required_types: [], attesters: [] };
const CLOSED = { mode: 'POLICY_MODE_CLOSED', required_types: ['kyc'], attesters: ['aeva1x'] };
const KIND = {
  kind_id: 0,
  class: 'KIND_CLASS_INCOME',
  decimals: 6,
  bundle: true,
  transferable: true,
  term: null,
  multiplier: '1',
  bridgeable: false,
};
const CREATED = {
  asset_id: ASSET,
  issuer: ISSUER,
  nonce: '0',
  status: 'ASSET_STATUS_ACTIVE',
  policy: OPEN,
  roles: { operator: 'aeva1operator', releaser: '' },
  meta_hash: Buffer.alloc(32, 0xab).toString('base64'),
  settlement_denom: 'uusd',
  liens_allowed: false,
  distribution_denoms: ['ueur'],
  kinds: [KIND, { ...KIND, kind_id: 1, term: { starts_at: null, ends_at: '2300-01-01T00:00:00Z' } }],
};

type Told = readonly [type: string, fields: object];

/** Blocks from 1 on, each with its events in a tx of its own. */
function blocksOf(...blocks: readonly (readonly Told[])[]): BlockFacts[] {
  return blocks.map((events, i) => ({
    height: i + 1,
    timeNs: BigInt(i + 1) * 1_000_000_000n,
    events: events.map(
      ([type, fields], eventIndex): EventFact => ({
        type: `aeva.asset.v1.Event${type}`,
        txIndex: 0,
        eventIndex,
        txHash: new Uint8Array(32).fill(i + 1),
        decoded: JSON.stringify(fields),
      }),
    ),
    ...NO_MORE_FACTS,
  }));
}

function derive(...blocks: readonly (readonly Told[])[]): Rows {
  const derivations = asset.derivation === undefined ? [] : [asset.derivation];
  return deriveAll(blocksOf(...blocks), { derivations });
}

const driftOf = (rows: Rows): readonly unknown[] =>
  (rows.get('drift') ?? []).map(({ height, event_index, field, derived, told }) => [
    Number(height),
    event_index,
    field,
    derived,
    told,
  ]);

const columnsOf = (rows: Rows, table: string, ...columns: readonly string[]): readonly unknown[] =>
  (rows.get(table) ?? []).map((row) =>
    columns.map((name) => {
      const value = row[name];
      if (Buffer.isBuffer(value)) return value.toString('hex');
      return typeof value === 'bigint' ? Number(value) : value;
    }),
  );

describe('the derivation of assets', () => {
  it('makes an asset, its kinds and the addresses of both', () => {
    const rows = derive([['AssetCreated', CREATED]]);
    expect(driftOf(rows)).toEqual([]);
    expect(
      columnsOf(
        rows,
        'assets',
        'asset_id',
        'height',
        'issuer',
        'nonce',
        'policy_mode',
        'operator',
        'kind_count',
      ),
    ).toEqual([[ASSET, 1, ISSUER, 0, 'OPEN', 'aeva1operator', 2]]);
    expect(
      columnsOf(
        rows,
        'assets',
        'meta_hash',
        'created_height',
        'created_time_ns',
        'created_tx_hash',
        'bundle_address',
      ),
    ).toEqual([['ab'.repeat(32), 1, 1_000_000_000, '01'.repeat(32), BUNDLE]]);
    expect(columnsOf(rows, 'asset_kinds', 'kind_id', 'class', 'term', 'override_mode')).toEqual([
      [0, 'INCOME', '', ''],
      [1, 'INCOME', '{"starts_at":null,"ends_at":"2300-01-01T00:00:00Z"}', ''],
    ]);
    expect(columnsOf(rows, 'asset_tokens', 'address', 'asset_id', 'kind_id', 'bundle').slice(0, 2)).toEqual([
      [BUNDLE, ASSET, 0, 1],
      [KIND_0, ASSET, 0, 0],
    ]);
  });

  it('has one version a block, of what the block changed', () => {
    const rows = derive(
      [['AssetCreated', CREATED]],
      [
        ['IssuanceLocked', { asset_id: ASSET }],
        ['PolicySet', { asset_id: ASSET, policy: CLOSED }],
      ],
      [['RolesSet', { asset_id: ASSET, roles: { operator: '', releaser: 'aeva1releaser' } }]],
      [['AssetUpdated', { asset_id: ASSET, liens_allowed: true, distribution_denoms: [] }]],
      [['AssetStatusSet', { asset_id: ASSET, status: 'ASSET_STATUS_LIQUIDATING' }]],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(
      columnsOf(
        rows,
        'assets',
        'height',
        'issuance_locked',
        'policy_mode',
        'releaser',
        'liens_allowed',
        'status',
      ),
    ).toEqual([
      [1, 0, 'OPEN', '', 0, 'ASSET_STATUS_ACTIVE'],
      [2, 1, 'CLOSED', '', 0, 'ASSET_STATUS_ACTIVE'],
      [3, 1, 'CLOSED', 'aeva1releaser', 0, 'ASSET_STATUS_ACTIVE'],
      [4, 1, 'CLOSED', 'aeva1releaser', 1, 'ASSET_STATUS_ACTIVE'],
      [5, 1, 'CLOSED', 'aeva1releaser', 1, 'ASSET_STATUS_LIQUIDATING'],
    ]);
    expect(
      columnsOf(rows, 'assets', 'policy_types', 'policy_attesters', 'distribution_denoms').slice(1, 4),
    ).toEqual([
      [['kyc'], ['aeva1x'], ['ueur']],
      [['kyc'], ['aeva1x'], ['ueur']],
      [['kyc'], ['aeva1x'], []],
    ]);
    expect(columnsOf(rows, 'asset_kinds', 'height')).toEqual([[1], [1]]);
  });

  it("sets and takes away a kind's own policy, and moves the asset's updated_height with its kinds", () => {
    const update = { asset_id: ASSET, kind_id: 1, transferable: false, multiplier: '3', bridgeable: true };
    const rows = derive(
      [['AssetCreated', CREATED]],
      [['PolicySet', { asset_id: ASSET, kind_id: 0, policy: CLOSED }]],
      [['KindUpdated', update]],
      [['PolicySet', { asset_id: ASSET, kind_id: 0, policy: null }]],
    );
    expect(columnsOf(rows, 'assets', 'height', 'policy_mode')).toEqual([
      [1, 'OPEN'],
      [2, 'OPEN'],
      [3, 'OPEN'],
      [4, 'OPEN'],
    ]);
    expect(
      columnsOf(
        rows,
        'asset_kinds',
        'height',
        'kind_id',
        'override_mode',
        'override_types',
        'transferable',
        'multiplier',
      ),
    ).toEqual([
      [1, 0, '', [], 1, 1],
      [1, 1, '', [], 1, 1],
      [2, 0, 'CLOSED', ['kyc'], 1, 1],
      [3, 1, '', [], 0, 3],
      [4, 0, '', [], 1, 1],
    ]);
  });

  it('tells a wrong nonce and a wrong id, counts for itself, and goes by the id that was told', () => {
    const other = 'a'.repeat(64);
    const rows = derive([
      ['AssetCreated', { ...CREATED, nonce: '7' }],
      ['AssetCreated', { ...CREATED, nonce: '1', asset_id: other }],
      ['IssuanceLocked', { asset_id: other }],
    ]);
    const [nonce, id] = driftOf(rows);
    expect(nonce).toEqual([1, 0, 'nonce', '0', '7']);
    expect(id).toMatchObject([1, 1, 'asset_id', expect.stringMatching(/^[0-9a-f]{64}$/), other]);
    expect(driftOf(rows)).toHaveLength(2);
    expect(columnsOf(rows, 'assets', 'asset_id', 'nonce', 'issuance_locked')).toEqual([
      [ASSET, 0, 0],
      [other, 1, 1],
    ]);
  });

  it('keeps an asset that is told again as it is', () => {
    const rows = derive(
      [['AssetCreated', CREATED]],
      [['AssetCreated', { ...CREATED, settlement_denom: 'other' }]],
    );
    expect(driftOf(rows)).toMatchObject([
      [2, 0, 'nonce', '1', '0'],
      [2, 0, 'asset_id', expect.any(String), ASSET],
    ]);
    expect(columnsOf(rows, 'assets', 'height', 'settlement_denom')).toEqual([[1, 'uusd']]);
  });

  it('passes over what is about an unknown asset or kind, and what cannot be read, with a row each', () => {
    const unknown = 'b'.repeat(64);
    const rows = derive([
      ['AssetCreated', CREATED],
      ['IssuanceLocked', { asset_id: unknown }],
      ['PolicySet', { asset_id: ASSET, kind_id: 9, policy: OPEN }],
      ['KindUpdated', { asset_id: ASSET, kind_id: 2, transferable: true, multiplier: '1', bridgeable: true }],
      ['PolicySet', { asset_id: ASSET, policy: null }],
      ['AssetCreated', { ...CREATED, asset_id: 'ASSET' }],
      ['AssetUpdated', { asset_id: ASSET, liens_allowed: 'yes', distribution_denoms: [] }],
    ]);
    expect(driftOf(rows)).toEqual([
      [1, 1, 'record', '', ''],
      [1, 2, 'record', '', ''],
      [1, 3, 'record', '', ''],
      [1, 4, 'policy', '', 'null'],
      [1, 5, 'asset_id', '', '"ASSET"'],
      [1, 6, 'liens_allowed', '', '"yes"'],
    ]);
    expect(columnsOf(rows, 'assets', 'asset_id', 'issuance_locked')).toEqual([[ASSET, 0]]);
  });
});
