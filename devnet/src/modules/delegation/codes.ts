import { COMMON_CODES, refuser } from '../refusals.ts';

/** Codes of codespace `delegation`: stable. */
export const DELEGATION_CODES = {
  ...COMMON_CODES,
  /** Expired, revoked or returned already. */
  ended: 4,
  notRevocable: 5,
} as const;

export const refuse = refuser('delegation', DELEGATION_CODES);
