import { ChainError } from 'strata-kit/chain-error';

/** Refusals of the rights module. From 40 on they come out of its keeper, under whichever module asked. */
export const RIGHTS_CODES = {
  invalid: 2,
  unauthorized: 3,
  issuanceLocked: 4,
  notRedeemable: 5,
  invalidUnits: 40,
  sameAccount: 41,
  insufficientUnits: 42,
  tooMuchSupply: 43,
  notLocked: 44,
  /** An account of the chain's own: a module's, a bridge's escrow. */
  escrowRecipient: 45,
} as const;

export function rightsError(code: keyof typeof RIGHTS_CODES, message: string): ChainError {
  return new ChainError('rights', RIGHTS_CODES[code], message);
}
