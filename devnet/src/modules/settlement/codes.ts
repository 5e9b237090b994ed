import { COMMON_CODES, refuser } from '../refusals.ts';

/** Codes of codespace `settlement`: stable. */
export const SETTLEMENT_CODES = {
  ...COMMON_CODES,
  /** Settled, cancelled or expired already. */
  notPending: 4,
  /** Accept at or after the expiry. */
  expired: 5,
} as const;

export const refuse = refuser('settlement', SETTLEMENT_CODES);
