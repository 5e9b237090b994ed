import type { EventSpec } from '../../derive/derivation.ts';
import { type Compared, FieldError, type Fields } from '../../derive/fields.ts';
import type { KindSpec, Policy, Roles, Term } from './records.ts';

const ASSET_ID = /^[0-9a-f]{64}$/;
const NO_ROLES: Roles = { operator: '', releaser: '' };

export interface AssetCreated {
  readonly assetId: string;
  readonly issuer: string;
  readonly nonce: Compared;
  readonly status: string;
  readonly policy: Policy;
  readonly roles: Roles;
  /** Lower-case hex, empty when unset. */
  readonly metaHash: string;
  readonly settlementDenom: string;
  readonly liensAllowed: boolean;
  readonly distributionDenoms: readonly string[];
  readonly kinds: readonly KindSpec[];
}

export const ASSET_CREATED: EventSpec<AssetCreated> = {
  type: 'asset.v1.EventAssetCreated',
  read: (fields) => ({
    assetId: readAssetId(fields),
    issuer: fields.text('issuer'),
    nonce: fields.compared('nonce'),
    status: fields.text('status'),
    policy: readPolicy(fields.message('policy')),
    roles: readRoles(fields),
    metaHash: fields.hex('meta_hash'),
    settlementDenom: fields.text('settlement_denom'),
    liensAllowed: fields.flag('liens_allowed'),
    distributionDenoms: fields.texts('distribution_denoms'),
    kinds: fields.messages('kinds').map(readKind),
  }),
  subjects: ({ assetId, issuer, roles }) => ({ accounts: [issuer, ...accountsOf(roles)], assets: [assetId] }),
};

/** EventIssuanceLocked, and what else names an asset alone. */
export interface OfAsset {
  readonly assetId: string;
}

const ofAsset = ({ assetId }: OfAsset) => ({ accounts: [], assets: [assetId] });

export const ISSUANCE_LOCKED: EventSpec<OfAsset> = {
  type: 'asset.v1.EventIssuanceLocked',
  read: (fields) => ({ assetId: fields.text('asset_id') }),
  subjects: ofAsset,
};

export interface PolicySet extends OfAsset {
  /** Undefined: the asset's own policy. */
  readonly kindId: number | undefined;
  /** Undefined: the kind's override is gone. */
  readonly policy: Policy | undefined;
}

export const POLICY_SET: EventSpec<PolicySet> = {
  type: 'asset.v1.EventPolicySet',
  read: (fields) => {
    const kindId = fields.optionalU32('kind_id');
    // an asset is never without a policy
    const policy = kindId === undefined ? fields.message('policy') : fields.optionalMessage('policy');
    return {
      assetId: fields.text('asset_id'),
      kindId,
      policy: policy === undefined ? undefined : readPolicy(policy),
    };
  },
  subjects: ofAsset,
};

export interface RolesSet extends OfAsset {
  readonly roles: Roles;
}

export const ROLES_SET: EventSpec<RolesSet> = {
  type: 'asset.v1.EventRolesSet',
  read: (fields) => ({ assetId: fields.text('asset_id'), roles: readRoles(fields) }),
  subjects: ({ assetId, roles }) => ({ accounts: accountsOf(roles), assets: [assetId] }),
};

export interface KindUpdated extends OfAsset {
  readonly kindId: number;
  readonly transferable: boolean;
  readonly multiplier: bigint;
  readonly bridgeable: boolean;
}

export const KIND_UPDATED: EventSpec<KindUpdated> = {
  type: 'asset.v1.EventKindUpdated',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    transferable: fields.flag('transferable'),
    multiplier: fields.u64('multiplier'),
    bridgeable: fields.flag('bridgeable'),
  }),
  subjects: ofAsset,
};

export interface AssetUpdated extends OfAsset {
  readonly liensAllowed: boolean;
  readonly distributionDenoms: readonly string[];
}

export const ASSET_UPDATED: EventSpec<AssetUpdated> = {
  type: 'asset.v1.EventAssetUpdated',
  read: (fields) => ({
    assetId: fields.text('asset_id'),
    liensAllowed: fields.flag('liens_allowed'),
    distributionDenoms: fields.texts('distribution_denoms'),
  }),
  subjects: ofAsset,
};

export interface AssetStatusSet extends OfAsset {
  readonly status: string;
}

export const ASSET_STATUS_SET: EventSpec<AssetStatusSet> = {
  type: 'asset.v1.EventAssetStatusSet',
  read: (fields) => ({ assetId: fields.text('asset_id'), status: fields.text('status') }),
  subjects: ofAsset,
};

/** A new asset's id: what is not 32 bytes cannot enter the hashes of its tokens. */
function readAssetId(fields: Fields): string {
  const assetId = fields.text('asset_id');
  if (!ASSET_ID.test(assetId)) throw new FieldError('asset_id', assetId);
  return assetId;
}

function readPolicy(fields: Fields): Policy {
  const mode = withoutPrefix(fields.text('mode'), 'POLICY_MODE_');
  // an empty one stands for no override in asset_kinds
  if (mode === '') throw new FieldError('mode', fields.json.mode);
  return {
    mode,
    requiredTypes: fields.texts('required_types'),
    attesters: fields.texts('attesters'),
  };
}

function readRoles(fields: Fields): Roles {
  const roles = fields.optionalMessage('roles');
  return roles === undefined
    ? NO_ROLES
    : { operator: roles.text('operator'), releaser: roles.text('releaser') };
}

function accountsOf({ operator, releaser }: Roles): string[] {
  return [operator, releaser].filter((account) => account !== '');
}

function readKind(fields: Fields): KindSpec {
  const term = fields.optionalMessage('term');
  return {
    kindId: fields.u32('kind_id'),
    class: withoutPrefix(fields.text('class'), 'KIND_CLASS_'),
    decimals: fields.u32('decimals'),
    bundle: fields.flag('bundle'),
    transferable: fields.flag('transferable'),
    term: term === undefined ? undefined : readTerm(term),
    multiplier: fields.u64('multiplier'),
    bridgeable: fields.flag('bridgeable'),
  };
}

function readTerm(fields: Fields): Term {
  return { startsAtNs: fields.timeNs('starts_at'), endsAtNs: fields.timeNs('ends_at') };
}

/** Enums are printed without their prefix in the API's own fields (modules.md, section 1). */
function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
