import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import type { TableBuilder } from '../../core/native.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import type { AssetRecord, KindRecord, Policy, Term } from './records.ts';
import type { ASSET_KINDS, ASSETS } from './tables.ts';

/** Records as rows of their tables and back, side by side so that they stay in one order. */

/** Term of api.md. */
export interface TermJson {
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

export function appendAsset(builder: TableBuilder<typeof ASSETS>, asset: AssetRecord, height: number): void {
  const { columns } = builder;
  columns.asset_id.text(asset.id);
  columns.height.u64(height);
  columns.issuer.text(asset.issuer);
  columns.nonce.u64big(asset.nonce);
  columns.status.text(asset.status);
  columns.policy_mode.text(asset.policy.mode);
  columns.policy_types.textArray(asset.policy.requiredTypes);
  columns.policy_attesters.textArray(asset.policy.attesters);
  columns.operator.text(asset.roles.operator);
  columns.releaser.text(asset.roles.releaser);
  columns.meta_hash.text(asset.metaHash);
  columns.settlement_denom.text(asset.settlementDenom);
  columns.liens_allowed.u8(asset.liensAllowed ? 1 : 0);
  columns.distribution_denoms.textArray(asset.distributionDenoms);
  columns.issuance_locked.u8(asset.issuanceLocked ? 1 : 0);
  columns.kind_count.u32(asset.kinds.length);
  columns.created_height.u64(asset.createdHeight);
  columns.created_time_ns.i64big(asset.createdTimeNs);
  columns.created_tx_hash.fixed(asset.createdTxHash);
  columns.bundle_address.fixed(asset.bundleAddress);
  builder.rows++;
}

export const ASSET_COLUMNS = [
  'asset_id',
  'issuer',
  'nonce',
  'status',
  'policy_mode',
  'policy_types',
  'policy_attesters',
  'operator',
  'releaser',
  'meta_hash',
  'settlement_denom',
  'liens_allowed',
  'distribution_denoms',
  'issuance_locked',
  'created_height',
  'created_time_ns',
  'created_tx_hash',
  'bundle_address',
] as const;

/** A row of ASSET_COLUMNS; its kinds stand in another table. */
export function readAsset(row: RowReader): AssetRecord {
  return {
    id: row.string(),
    issuer: row.string(),
    nonce: row.u64big(),
    status: row.string(),
    policy: readPolicy(row),
    roles: { operator: row.string(), releaser: row.string() },
    metaHash: row.string(),
    settlementDenom: row.string(),
    liensAllowed: row.bool(),
    distributionDenoms: row.stringArray(),
    issuanceLocked: row.bool(),
    kinds: [],
    createdHeight: row.u64(),
    createdTimeNs: row.i64big(),
    createdTxHash: Uint8Array.from(row.fixed(32)),
    bundleAddress: Uint8Array.from(row.fixed(20)),
  };
}

export function appendKind(
  builder: TableBuilder<typeof ASSET_KINDS>,
  assetId: string,
  kind: KindRecord,
  height: number,
): void {
  const { columns } = builder;
  columns.asset_id.text(assetId);
  columns.kind_id.u32(kind.kindId);
  columns.height.u64(height);
  columns.class.text(kind.class);
  columns.decimals.u32(kind.decimals);
  columns.bundle.u8(kind.bundle ? 1 : 0);
  columns.transferable.u8(kind.transferable ? 1 : 0);
  columns.term.text(kind.term === undefined ? '' : JSON.stringify(termJson(kind.term)));
  columns.multiplier.u64big(kind.multiplier);
  columns.bridgeable.u8(kind.bridgeable ? 1 : 0);
  columns.override_mode.text(kind.policyOverride?.mode ?? '');
  columns.override_types.textArray(kind.policyOverride?.requiredTypes ?? []);
  columns.override_attesters.textArray(kind.policyOverride?.attesters ?? []);
  columns.address.fixed(kind.address);
  builder.rows++;
}

export const KIND_COLUMNS = [
  'asset_id',
  'kind_id',
  'class',
  'decimals',
  'bundle',
  'transferable',
  'term',
  'multiplier',
  'bridgeable',
  'override_mode',
  'override_types',
  'override_attesters',
  'address',
] as const;

/** A row of KIND_COLUMNS. */
export function readKind(row: RowReader): { readonly assetId: string; readonly kind: KindRecord } {
  const assetId = row.string();
  const kind = {
    kindId: row.u32(),
    class: row.string(),
    decimals: row.u32(),
    bundle: row.bool(),
    transferable: row.bool(),
    term: readTerm(row.string()),
    multiplier: row.u64big(),
    bridgeable: row.bool(),
  };
  const override = readPolicy(row);
  const policyOverride = override.mode === '' ? undefined : override;
  return { assetId, kind: { ...kind, policyOverride, address: Uint8Array.from(row.fixed(20)) } };
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

function readPolicy(row: RowReader): Policy {
  return { mode: row.string(), requiredTypes: row.stringArray(), attesters: row.stringArray() };
}
