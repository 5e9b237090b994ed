import { toChecksumAddress } from 'strata-kit/address';
import { formatTimeNs } from 'strata-kit/time';
import type { LatestCheckJson } from '../reconciliation/checks-read.ts';
import { txHashJson } from '../record-json.ts';
import { uint64Json } from '../uint64-json.ts';
import { termJson } from './asset-rows.ts';
import type { AssetVersion } from './assets-read.ts';
import type { KindRecord, Policy } from './records.ts';

/** What an asset's answer takes from other modules. */
export interface AssetParts {
  /** Accruals of api.md, as they are answered. */
  readonly accruals: readonly object[];
  /** By kind id; none where the kind was never issued. */
  readonly totals: ReadonlyMap<number, KindTotals>;
  readonly check: LatestCheckJson | null;
}

interface KindTotals {
  readonly supply: bigint;
  readonly holderCount: number;
}

const NONE: KindTotals = { supply: 0n, holderCount: 0 };

/** Asset of api.md as JSON text. */
export function assetText(asset: AssetVersion, { accruals, totals, check }: AssetParts): string {
  return objectText([
    ['id', json(asset.id)],
    ['issuer', json(asset.issuer)],
    ['status', json(asset.status)],
    ['policy', json(policyJson(asset.policy))],
    ['roles', json({ operator: asset.roles.operator, releaser: asset.roles.releaser })],
    ['meta_hash', json(asset.metaHash)],
    ['settlement_denom', json(asset.settlementDenom)],
    ['nonce', JSON.stringify(uint64Json(asset.nonce))],
    ['kind_count', json(asset.kinds.length)],
    ['issuance_locked', json(asset.issuanceLocked)],
    ['liens_allowed', json(asset.liensAllowed)],
    ['distribution_denoms', json(asset.distributionDenoms)],
    ['accruals', json(accruals)],
    ['created_height', json(asset.createdHeight)],
    ['created_tx_hash', json(txHashJson(asset.createdTxHash))],
    ['created_at', json(formatTimeNs(asset.createdTimeNs))],
    ['updated_height', json(asset.updatedHeight)],
    [
      'kinds',
      `[${asset.kinds.map((kind) => kindText(asset, kind, totals.get(kind.kindId) ?? NONE)).join()}]`,
    ],
    ['latest_invariant_check', json(check)],
    ['bundle_address', json(toChecksumAddress(asset.bundleAddress))],
  ]);
}

function kindText({ policy }: AssetVersion, kind: KindRecord, { supply, holderCount }: KindTotals): string {
  const { policyOverride, multiplier, term } = kind;
  const multiplierText = JSON.stringify(uint64Json(multiplier));
  return objectText([
    ['kind_id', json(kind.kindId)],
    ['class', json(kind.class)],
    ['decimals', json(kind.decimals)],
    ['bundle', json(kind.bundle)],
    ['transferable', json(kind.transferable)],
    ['term', json(term === undefined ? null : termJson(term))],
    ['multiplier', multiplierText],
    ['supply', json(String(supply))],
    ['effective_supply', `{"amount":"${supply * multiplier}","multiplier":${multiplierText}}`],
    ['bridgeable', json(kind.bridgeable)],
    ['policy_override', json(policyOverride === undefined ? null : policyJson(policyOverride))],
    ['effective_policy', json(policyJson(policyOverride ?? policy))],
    ['policy_source', json(policyOverride === undefined ? 'ASSET' : 'KIND_OVERRIDE')],
    ['holder_count', json(holderCount)],
    ['tok20_address', json(toChecksumAddress(kind.address))],
  ]);
}

function policyJson({ mode, requiredTypes, attesters }: Policy): object {
  return { mode, required_types: requiredTypes, attesters };
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

/** An object of values that are JSON already. */
function objectText(fields: readonly (readonly [key: string, text: string])[]): string {
  return `{${fields.map(([key, text]) => `"${key}":${text}`).join()}}`;
}
