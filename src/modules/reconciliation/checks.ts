/** What is compared with the chain (modules.md section 5), as it stands in reconciliation_checks. */

/** `kind`: of an asset and kind; `token`: of an asset's precompile; `nonce`: of an issuer; `route`: of a bridge route. */
export const CHECKS = ['kind', 'token', 'nonce', 'route'] as const;
export type CheckName = (typeof CHECKS)[number];

export const NO_KIND = -1;

/** What a row is about; with a height it is the row's key. */
export interface CheckSubject {
  readonly check: CheckName;
  /** Empty for `nonce` and for coin routes. */
  readonly assetId: string;
  /** NO_KIND for a bundle's token, `nonce` and `route`. */
  readonly kindId: number;
  /** The route's id or the issuer; else empty. */
  readonly subject: string;
}

export interface CheckRow extends CheckSubject {
  readonly height: number;
  /** False where the chain cannot serve a query; such a row agrees. */
  readonly evaluated: boolean;
  readonly agree: boolean;
  readonly chain: CheckSide;
  readonly indexer: CheckSide;
}

/** One side of a comparison: ReconciledKind, or one of the others below. */
export type CheckSide = ReconciledKind | TokenSide | NonceSide | RouteSide;

/** answers.md, "InvariantCheck chain, indexer"; amounts are decimal strings. */
export interface ReconciledKind {
  readonly supply: string;
  readonly positions: string;
  readonly encumbered: string;
  /** By denom. */
  readonly accruals: readonly ReconciledAccrual[];
}

export interface ReconciledAccrual {
  readonly denom: string;
  readonly index: string;
  readonly carry_scaled: string;
  readonly total_distributed: string;
  readonly total_paid: string;
  readonly module_held: string;
}

/** EIP-55, empty where the side has none. */
export interface TokenSide {
  readonly address: string;
}

export interface NonceSide {
  readonly next_nonce: string;
}

/** `actual` is empty where it was not evaluated; `ok` is the chain's side only: its own counters say the same. */
export interface RouteSide {
  readonly actual: string;
  readonly ok?: boolean;
}
