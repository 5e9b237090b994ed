import { COMMON_CODES, refuser } from '../refusals.ts';

/** Codes of codespace `waterfall`: stable. */
export const WATERFALL_CODES = {
  ...COMMON_CODES,
  /** Fund or CloseLiquidation of an asset that is not LIQUIDATING. */
  notLiquidating: 4,
  /** Fund in another denom than the liquidation's. */
  wrongDenom: 5,
  /** BeginLiquidation without a tier whose kind has a supply. */
  nothingToPay: 14,
  /** No redemption pool of the kind. */
  noPool: 15,
} as const;

export const refuse = refuser('waterfall', WATERFALL_CODES);
