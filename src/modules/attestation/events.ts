import type { EventSpec } from '../../derive/derivation.ts';

export interface Attested {
  readonly subject: string;
  readonly type: string;
  readonly attester: string;
  readonly expiryNs: bigint;
  /** Lower-case hex, empty when unset. */
  readonly evidenceHash: string;
}

export const ATTESTED: EventSpec<Attested> = {
  type: 'attestation.v1.EventAttested',
  read: (fields) => ({
    subject: fields.text('subject'),
    type: fields.text('type'),
    attester: fields.text('attester'),
    expiryNs: fields.requiredTimeNs('expiry'),
    evidenceHash: fields.hex('evidence_hash'),
  }),
  subjects: ({ subject, attester }) => ({ accounts: [subject, attester], assets: [] }),
};

export interface Revoked {
  readonly subject: string;
  readonly type: string;
  readonly attester: string;
}

export const REVOKED: EventSpec<Revoked> = {
  type: 'attestation.v1.EventRevoked',
  read: (fields) => ({
    subject: fields.text('subject'),
    type: fields.text('type'),
    attester: fields.text('attester'),
  }),
  subjects: ({ subject, attester }) => ({ accounts: [subject, attester], assets: [] }),
};
