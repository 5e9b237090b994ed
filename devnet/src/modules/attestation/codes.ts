import { ChainError } from 'strata-kit/chain-error';

/** Refusals of the attestation module. */
export const ATTESTATION_CODES = {
  invalid: 2,
  /** No attestation of this subject and type by this attester: nobody revokes another's. */
  notFound: 3,
  /** Its expiry is missing, or not after the block's time. */
  expired: 4,
  alreadyRevoked: 5,
} as const;

export function attestationError(code: keyof typeof ATTESTATION_CODES, message: string): ChainError {
  return new ChainError('attestation', ATTESTATION_CODES[code], message);
}
