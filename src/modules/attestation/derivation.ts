import type { BlockAt, Derivation } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { ATTESTED, REVOKED } from './events.ts';
import { ATTESTATIONS, ATTESTATIONS_BY_ATTESTER } from './tables.ts';

interface Attestation {
  readonly subject: string;
  readonly type: string;
  readonly attester: string;
  readonly expiryNs: bigint;
  readonly evidenceHash: string;
  readonly isRevoked: boolean;
}

function keyOf({ subject, type, attester }: Pick<Attestation, 'subject' | 'type' | 'attester'>): string {
  return `${subject} ${attester} ${type}`;
}

/** Who says what of whom, until when (modules.md sections 2 and 4). */
export const attestationDerivation: Derivation = {
  module: 'attestation',
  tables: [ATTESTATIONS, ATTESTATIONS_BY_ATTESTER],
  reads: [],
  open(setup) {
    const builders = [setup.table(ATTESTATIONS), setup.table(ATTESTATIONS_BY_ATTESTER)];
    const attestations = new Map<string, Attestation>();
    const changed = new Map<string, Attestation>();

    const set = (attestation: Attestation): void => {
      attestations.set(keyOf(attestation), attestation);
      changed.set(keyOf(attestation), attestation);
    };

    const append = (attestation: Attestation, { height }: BlockAt): void => {
      for (const builder of builders) {
        builder.append({
          subject: attestation.subject,
          type: attestation.type,
          attester: attestation.attester,
          height,
          expiry_ns: attestation.expiryNs,
          revoked: attestation.isRevoked,
          evidence_hash: attestation.evidenceHash,
        });
      }
    };

    return {
      state: undefined,
      handlers: [
        on(ATTESTED, (event) => set({ ...event, isRevoked: false })),
        on(
          REVOKED,
          (event) => {
            const attestation = attestations.get(keyOf(event));
            if (attestation !== undefined) set({ ...attestation, isRevoked: true });
          },
          (event) => attestations.has(keyOf(event)),
        ),
      ],
      endBlock(block) {
        for (const attestation of changed.values()) append(attestation, block);
        changed.clear();
      },
      restore: (versions) =>
        versions.latest(
          ATTESTATIONS,
          ['subject', 'type', 'attester', 'expiry_ns', 'revoked', 'evidence_hash'],
          (row) => {
            const attestation = {
              subject: row.subject,
              type: row.type,
              attester: row.attester,
              expiryNs: row.expiry_ns,
              isRevoked: row.revoked,
              evidenceHash: row.evidence_hash,
            };
            attestations.set(keyOf(attestation), attestation);
          },
        ),
    };
  },
};
