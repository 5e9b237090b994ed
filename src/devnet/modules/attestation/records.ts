import { collection } from '../../state/state.ts';

export interface Attestation {
  readonly subject: string;
  readonly type: string;
  readonly attester: string;
  /** RFC 3339. */
  readonly expiry: string;
  readonly expiryNs: bigint;
  /** Base64, may be empty. */
  readonly evidenceHash: string;
  readonly revoked: boolean;
}

export type AttestationKey = Pick<Attestation, 'subject' | 'type' | 'attester'>;

export const ATTESTATIONS = collection<Attestation>('attestation/attestations');

/** Neither addresses nor types hold a `|`. */
export function attestationKey({ subject, type, attester }: AttestationKey): string {
  return `${subject}|${type}|${attester}`;
}
