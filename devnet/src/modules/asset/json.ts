import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import type { Asset, Kind, Policy, Roles, Term } from './records.ts';

/** Records as the protos have them. */

export function policyJson({ mode, requiredTypes, attesters }: Policy): JsonObject {
  return { mode, required_types: requiredTypes, attesters };
}

export function rolesJson({ operator, releaser }: Roles): JsonObject {
  return { operator, releaser };
}

export function kindJson(kind: Kind): JsonObject {
  return {
    kind_id: kind.kindId,
    class: kind.class,
    decimals: kind.decimals,
    bundle: kind.bundle,
    transferable: kind.transferable,
    ...(kind.term === null ? {} : { term: termJson(kind.term) }),
    multiplier: String(kind.multiplier),
    bridgeable: kind.bridgeable,
  };
}

export function assetJson(asset: Asset): JsonObject {
  return {
    id: asset.id,
    issuer: asset.issuer,
    nonce: String(asset.nonce),
    status: asset.status,
    policy: policyJson(asset.policy),
    roles: rolesJson(asset.roles),
    meta_hash: asset.metaHash,
    settlement_denom: asset.settlementDenom,
    liens_allowed: asset.liensAllowed,
    distribution_denoms: asset.distributionDenoms,
    issuance_locked: asset.issuanceLocked,
    kinds: asset.kinds.map(kindJson),
    policy_overrides: asset.kinds.flatMap(({ kindId, policyOverride }) =>
      policyOverride === null ? [] : [{ kind_id: kindId, policy: policyJson(policyOverride) }],
    ),
  };
}

function termJson({ startsAtNs, endsAtNs }: Term): JsonObject {
  return {
    ...(startsAtNs === null ? {} : { starts_at: formatTimeNs(startsAtNs) }),
    ...(endsAtNs === null ? {} : { ends_at: formatTimeNs(endsAtNs) }),
  };
}
