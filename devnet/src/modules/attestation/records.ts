import { collection } from '../../state/state.ts';

export interface Attestation {
  readonly subject: string;
  readonly type: string;
  readonly attester: string;
  readonly expiryNs: bigint;
  /** Base64 of 32 bytes, or empty. */
  readonly evidenceHash: string;
  readonly revoked: boolean;
}

export type AttestationKey = Pick<Attestation, 'subject' | 'type' | 'attester'>;

export const ATTESTATIONS = collection<Attestation>('attestation/attestations');

/** Neither addresses nor types hold a `|`. */
export function attestationKey({ subject, type, attester }: AttestationKey): string {
  return `${subject}|${type}|${attester}`;
}

/** A part of a rule's path: 1 to 64 of letters, digits and `._:-`, no sign first. */
export function isAttestationType(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(text);
}
