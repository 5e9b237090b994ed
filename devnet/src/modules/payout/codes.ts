import { ChainError } from 'strata-kit/chain-error';

/** Refusals of the payout module. From 60 on they come out of its keeper, under whichever module asked. */
export const PAYOUT_CODES = {
  invalid: 2,
  unauthorized: 3,
  denomNotAllowed: 4,
  noSupply: 5,
  nothingToClaim: 6,
  amountTooLarge: 7,
  insufficientCoins: 8,
  unknownRoute: 60,
  routeTooLarge: 61,
} as const;

export function payoutError(code: keyof typeof PAYOUT_CODES, message: string): ChainError {
  return new ChainError('payout', PAYOUT_CODES[code], message);
}
