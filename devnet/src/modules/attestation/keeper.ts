import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { ATTESTATIONS, type Attestation, type AttestationKey, attestationKey } from './records.ts';

export function attestation(reader: Reader, key: AttestationKey): Attestation | undefined {
  return reader.get(ATTESTATIONS, attestationKey(key));
}

/** Whether the attestation is there and live: not revoked, and expiry after the time (api.md: Attestation). */
export function isAttested(reader: Reader, key: AttestationKey, timeNs: bigint): boolean {
  const found = attestation(reader, key);
  return found !== undefined && !found.revoked && found.expiryNs > timeNs;
}

/** Every attestation of a subject, by type and attester; of all subjects without one. */
export function attestations(reader: Reader, subject?: string): Attestation[] {
  const prefix = subject === undefined ? '' : `${subject}|`;
  return [...reader.entries(ATTESTATIONS, prefix)].map(([, found]) => found);
}

export function putAttestation(context: Pick<Context, 'state'>, made: Attestation): void {
  context.state.set(ATTESTATIONS, attestationKey(made), made);
}
