import { ChainError } from 'strata-kit/chain-error';

/** Refusals of the asset module. From 20 on they come out of its keeper, under whichever module asked. */
export const ASSET_CODES = {
  invalid: 2,
  unauthorized: 3,
  issuanceLocked: 4,
  unequalDecimals: 5,
  unknownAsset: 20,
  unknownKind: 21,
  notActive: 22,
  policyDenied: 23,
  notTransferable: 24,
} as const;

export function assetError(code: keyof typeof ASSET_CODES, message: string): ChainError {
  return new ChainError('asset', ASSET_CODES[code], message);
}
