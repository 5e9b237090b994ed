import type { ModuleExport, QueryJson, RecordFields, Records } from '../export.ts';
import { bool, hex, integer, list, object, text, texts, time } from '../export-json.ts';
import { ASSET_KINDS, ASSETS } from './tables.ts';

/** Assets, their kinds with overrides, and the issuers' next nonces. */
export const assetExport: ModuleExport = {
  chain: (exported) => {
    const records = new Map<string, RecordFields>();
    for (const asset of list(exported, 'assets')) addAsset(records, asset);
    for (const nonce of list(exported, 'nonces')) {
      const next = integer(nonce, 'next_nonce');
      if (next !== '0') records.set(`nonce ${text(nonce, 'issuer')}`, { next_nonce: next });
    }
    return records;
  },
  store: async (state) => {
    const assets = await state.latest(
      ASSETS,
      'asset_id, issuer, nonce, status, policy_mode, policy_types, policy_attesters, operator, releaser, meta_hash, settlement_denom, liens_allowed, distribution_denoms, issuance_locked',
      (row) =>
        [
          `asset ${row.string()}`,
          {
            issuer: row.string(),
            nonce: String(row.u64big()),
            status: row.string(),
            policy: policyText(row.string(), row.stringArray(), row.stringArray()),
            operator: row.string(),
            releaser: row.string(),
            meta_hash: row.string(),
            settlement_denom: row.string(),
            liens_allowed: String(row.bool()),
            distribution_denoms: row.stringArray().join(),
            issuance_locked: String(row.bool()),
          },
        ] as const,
    );
    const created = new Map<string, number>();
    for (const [, { issuer }] of assets) created.set(issuer, (created.get(issuer) ?? 0) + 1);
    const kinds = await state.latest(
      ASSET_KINDS,
      'asset_id, kind_id, class, decimals, bundle, transferable, term, multiplier, bridgeable, override_mode, override_types, override_attesters',
      (row) =>
        [
          `kind ${row.string()}/${row.u32()}`,
          {
            class: row.string(),
            decimals: String(row.u32()),
            bundle: String(row.bool()),
            transferable: String(row.bool()),
            term: termText(JSON.parse(row.string() || '{}') as QueryJson),
            multiplier: String(row.u64big()),
            bridgeable: String(row.bool()),
            override: policyText(row.string(), row.stringArray(), row.stringArray()),
          },
        ] as const,
    );
    const nonces = [...created].map(
      ([issuer, count]) => [`nonce ${issuer}`, { next_nonce: String(count) }] as const,
    );
    return new Map<string, RecordFields>([...assets, ...kinds, ...nonces]) satisfies Records;
  },
};

function addAsset(records: Map<string, RecordFields>, asset: QueryJson): void {
  const id = text(asset, 'id');
  const roles = object(asset, 'roles');
  records.set(`asset ${id}`, {
    issuer: text(asset, 'issuer'),
    nonce: integer(asset, 'nonce'),
    status: text(asset, 'status'),
    policy: policyOf(object(asset, 'policy')),
    operator: text(roles, 'operator'),
    releaser: text(roles, 'releaser'),
    meta_hash: hex(asset, 'meta_hash'),
    settlement_denom: text(asset, 'settlement_denom'),
    liens_allowed: bool(asset, 'liens_allowed'),
    distribution_denoms: texts(asset, 'distribution_denoms').join(),
    issuance_locked: bool(asset, 'issuance_locked'),
  });
  const overrides = new Map(
    list(asset, 'policy_overrides').map((each) => [
      integer(each, 'kind_id'),
      policyOf(object(each, 'policy')),
    ]),
  );
  for (const kind of list(asset, 'kinds')) {
    const kindId = integer(kind, 'kind_id');
    records.set(`kind ${id}/${kindId}`, {
      class: text(kind, 'class').replace('KIND_CLASS_', ''),
      decimals: integer(kind, 'decimals'),
      bundle: bool(kind, 'bundle'),
      transferable: bool(kind, 'transferable'),
      term: termText(object(kind, 'term')),
      multiplier: integer(kind, 'multiplier'),
      bridgeable: bool(kind, 'bridgeable'),
      override: overrides.get(kindId) ?? '',
    });
  }
}

function policyOf(policy: QueryJson): string {
  const mode = text(policy, 'mode').replace('POLICY_MODE_', '');
  return policyText(mode, texts(policy, 'required_types'), texts(policy, 'attesters'));
}

/** Empty where there is none. */
function policyText(mode: string, types: readonly string[], attesters: readonly string[]): string {
  return mode === '' ? '' : [mode, types.join(), attesters.join()].join(' ').trimEnd();
}

function termText(term: QueryJson): string {
  const [from, to] = [time(term, 'starts_at'), time(term, 'ends_at')];
  return from === '' && to === '' ? '' : `${from} ${to}`;
}
