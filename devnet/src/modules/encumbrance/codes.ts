import { COMMON_CODES, refuser } from '../refusals.ts';

/** Codes of codespace `encumbrance`: stable. */
export const ENCUMBRANCE_CODES = {
  ...COMMON_CODES,
  /** Released, exercised or expired already. */
  notActive: 4,
  /** Exercise at or after the expiry. */
  expired: 5,
  liensNotAllowed: 14,
  /** A lien without its 32 bytes of evidence. */
  evidenceMissing: 15,
  /** The holder, not after holder_release_after. */
  tooEarly: 16,
  notExercisable: 17,
} as const;

export const refuse = refuser('encumbrance', ENCUMBRANCE_CODES);
