import { collection } from '../../state/state.ts';

/** Enums are kept by their proto names. */

export type AssetStatus = 'ASSET_STATUS_ACTIVE' | 'ASSET_STATUS_LIQUIDATING' | 'ASSET_STATUS_LIQUIDATED';
export type KindClass =
  | 'KIND_CLASS_ECONOMIC'
  | 'KIND_CLASS_INCOME'
  | 'KIND_CLASS_VOTE'
  | 'KIND_CLASS_REDEMPTION';
export type PolicyMode = 'POLICY_MODE_OPEN' | 'POLICY_MODE_ATTESTED' | 'POLICY_MODE_CLOSED';

export interface Policy {
  readonly mode: PolicyMode;
  /** Of ATTESTED: a recipient needs a live attestation of each. */
  readonly requiredTypes: readonly string[];
  /** Of ATTESTED: whose attestations count. */
  readonly attesters: readonly string[];
}

/** Empty where unset. */
export interface Roles {
  readonly operator: string;
  readonly releaser: string;
}

export interface Term {
  /** Nanoseconds since 1970, null where unset. */
  readonly startsAtNs: bigint | null;
  readonly endsAtNs: bigint | null;
}

export interface Kind {
  readonly kindId: number;
  readonly class: KindClass;
  readonly decimals: number;
  /** Part of the asset's bundle. */
  readonly bundle: boolean;
  readonly transferable: boolean;
  readonly term: Term | null;
  /** How units are shown; the state never changes by it. */
  readonly multiplier: bigint;
  readonly bridgeable: boolean;
  /** In place of the asset's. */
  readonly policyOverride: Policy | null;
}

export interface Asset {
  /** 64 lower-case hex. */
  readonly id: string;
  readonly issuer: string;
  /** Assets that the issuer had created before. */
  readonly nonce: bigint;
  readonly status: AssetStatus;
  readonly policy: Policy;
  readonly roles: Roles;
  /** Base64 of 32 bytes, or empty. */
  readonly metaHash: string;
  readonly settlementDenom: string;
  readonly issuanceLocked: boolean;
  readonly liensAllowed: boolean;
  readonly distributionDenoms: readonly string[];
  /** By kind id, which counts from 0. */
  readonly kinds: readonly Kind[];
}

/** What an address of the EVM stands for; kindId null for the bundle. */
export interface Token {
  readonly assetId: string;
  readonly kindId: number | null;
}

/** By asset id. */
export const ASSETS = collection<Asset>('asset/assets');
/** By issuer: how many assets it has created. */
export const NONCES = collection<bigint>('asset/nonces');
/** By 40 lower-case hex digits. */
export const TOKENS = collection<Token>('asset/tokens');
