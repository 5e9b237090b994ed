/** Records of the asset module, as the writer holds them and as the versions give them back. */

/** Who may receive units by transfer. */
export interface Policy {
  /** Without its prefix: `OPEN`, `ATTESTED`, `CLOSED`. */
  readonly mode: string;
  readonly requiredTypes: readonly string[];
  readonly attesters: readonly string[];
}

/** Accounts beside the issuer; empty where unset. */
export interface Roles {
  readonly operator: string;
  readonly releaser: string;
}

/** Nanoseconds since 1970; undefined where unset. */
export interface Term {
  readonly startsAtNs: bigint | undefined;
  readonly endsAtNs: bigint | undefined;
}

/** What an asset is created with, of one kind. */
export interface KindSpec {
  readonly kindId: number;
  /** Without its prefix: `ECONOMIC`, `INCOME`, `VOTE`, `REDEMPTION`. */
  readonly class: string;
  readonly decimals: number;
  /** Part of the asset's bundle. */
  readonly bundle: boolean;
  readonly transferable: boolean;
  readonly term: Term | undefined;
  /** How units are presented, 1 = as they are. */
  readonly multiplier: bigint;
  readonly bridgeable: boolean;
}

export interface KindRecord extends KindSpec {
  /** In place of the asset's policy. */
  readonly policyOverride: Policy | undefined;
  /** Where the EVM has it: 20 bytes. */
  readonly address: Uint8Array;
}

export interface AssetRecord {
  /** 64 lower-case hex digits. */
  readonly id: string;
  readonly issuer: string;
  /** Assets that the issuer had created before. */
  readonly nonce: bigint;
  /** With its prefix: `ASSET_STATUS_ACTIVE`. */
  readonly status: string;
  readonly policy: Policy;
  readonly roles: Roles;
  /** Lower-case hex, empty when unset. */
  readonly metaHash: string;
  readonly settlementDenom: string;
  readonly liensAllowed: boolean;
  /** Denoms that may be distributed, beside the settlement denom. */
  readonly distributionDenoms: readonly string[];
  readonly issuanceLocked: boolean;
  /** By kind id, ascending. */
  readonly kinds: readonly KindRecord[];
  readonly createdHeight: number;
  readonly createdTimeNs: bigint;
  /** 32 bytes; zeros where a block-level event created it. */
  readonly createdTxHash: Uint8Array;
  /** Where the EVM has its bundle: 20 bytes. */
  readonly bundleAddress: Uint8Array;
}
