import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import type { TableBuilder } from '../../core/native.ts';
import type { RowOf } from '../../core/table.ts';
import type { AssetRecord, KindRecord, Term } from './records.ts';
import type { ASSET_KINDS, ASSETS } from './tables.ts';

/** Records as rows of their tables, and back. */

/** Term of api.md. */
export interface TermJson {
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

export function appendAsset(builder: TableBuilder<typeof ASSETS>, asset: AssetRecord, height: number): void {
  builder.append({
    asset_id: asset.id,
    height,
    issuer: asset.issuer,
    nonce: asset.nonce,
    status: asset.status,
    policy_mode: asset.policy.mode,
    policy_types: asset.policy.requiredTypes,
    policy_attesters: asset.policy.attesters,
    operator: asset.roles.operator,
    releaser: asset.roles.releaser,
    meta_hash: asset.metaHash,
    settlement_denom: asset.settlementDenom,
    liens_allowed: asset.liensAllowed,
    distribution_denoms: asset.distributionDenoms,
    issuance_locked: asset.issuanceLocked,
    kind_count: asset.kinds.length,
    created_height: asset.createdHeight,
    created_time_ns: asset.createdTimeNs,
    created_tx_hash: asset.createdTxHash,
    bundle_address: asset.bundleAddress,
  });
}

/** Its kinds stand in another table. */
export function assetOfRow(row: RowOf<typeof ASSETS>): AssetRecord {
  return {
    id: row.asset_id,
    issuer: row.issuer,
    nonce: row.nonce,
    status: row.status,
    policy: { mode: row.policy_mode, requiredTypes: row.policy_types, attesters: row.policy_attesters },
    roles: { operator: row.operator, releaser: row.releaser },
    metaHash: row.meta_hash,
    settlementDenom: row.settlement_denom,
    liensAllowed: row.liens_allowed,
    distributionDenoms: row.distribution_denoms,
    issuanceLocked: row.issuance_locked,
    kinds: [],
    createdHeight: row.created_height,
    createdTimeNs: row.created_time_ns,
    createdTxHash: Uint8Array.from(row.created_tx_hash),
    bundleAddress: Uint8Array.from(row.bundle_address),
  };
}

export function appendKind(
  builder: TableBuilder<typeof ASSET_KINDS>,
  assetId: string,
  kind: KindRecord,
  height: number,
): void {
  builder.append({
    asset_id: assetId,
    kind_id: kind.kindId,
    height,
    class: kind.class,
    decimals: kind.decimals,
    bundle: kind.bundle,
    transferable: kind.transferable,
    term: kind.term === undefined ? '' : JSON.stringify(termJson(kind.term)),
    multiplier: kind.multiplier,
    bridgeable: kind.bridgeable,
    override_mode: kind.policyOverride?.mode ?? '',
    override_types: kind.policyOverride?.requiredTypes ?? [],
    override_attesters: kind.policyOverride?.attesters ?? [],
    address: kind.address,
  });
}

export function kindOfRow(row: RowOf<typeof ASSET_KINDS>): KindRecord {
  const override = {
    mode: row.override_mode,
    requiredTypes: row.override_types,
    attesters: row.override_attesters,
  };
  return {
    kindId: row.kind_id,
    class: row.class,
    decimals: row.decimals,
    bundle: row.bundle,
    transferable: row.transferable,
    term: readTerm(row.term),
    multiplier: row.multiplier,
    bridgeable: row.bridgeable,
    policyOverride: override.mode === '' ? undefined : override,
    address: Uint8Array.from(row.address),
  };
}

export function termJson({ startsAtNs, endsAtNs }: Term): TermJson {
  return {
    starts_at: startsAtNs === undefined ? null : formatTimeNs(startsAtNs),
    ends_at: endsAtNs === undefined ? null : formatTimeNs(endsAtNs),
  };
}

function readTerm(text: string): Term | undefined {
  if (text === '') return undefined;
  const { starts_at, ends_at } = JSON.parse(text) as TermJson;
  return {
    startsAtNs: starts_at === null ? undefined : parseTimeNs(starts_at),
    endsAtNs: ends_at === null ? undefined : parseTimeNs(ends_at),
  };
}
