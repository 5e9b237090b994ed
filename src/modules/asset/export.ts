import { columnNames } from '../../core/reading.ts';
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
      columnNames(ASSETS),
      (row) =>
        [
          `asset ${row.asset_id}`,
          {
            issuer: row.issuer,
            nonce: String(row.nonce),
            status: row.status,
            policy: policyText(row.policy_mode, row.policy_types, row.policy_attesters),
            operator: row.operator,
            releaser: row.releaser,
            meta_hash: row.meta_hash,
            settlement_denom: row.settlement_denom,
            liens_allowed: String(row.liens_allowed),
            distribution_denoms: row.distribution_denoms.join(),
            issuance_locked: String(row.issuance_locked),
          },
        ] as const,
    );
    const created = new Map<string, number>();
    for (const [, { issuer }] of assets) created.set(issuer, (created.get(issuer) ?? 0) + 1);
    const kinds = await state.latest(
      ASSET_KINDS,
      columnNames(ASSET_KINDS),
      (row) =>
        [
          `kind ${row.asset_id}/${row.kind_id}`,
          {
            class: row.class,
            decimals: String(row.decimals),
            bundle: String(row.bundle),
            transferable: String(row.transferable),
            term: termText(JSON.parse(row.term || '{}') as QueryJson),
            multiplier: String(row.multiplier),
            bridgeable: String(row.bridgeable),
            override: policyText(row.override_mode, row.override_types, row.override_attesters),
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
