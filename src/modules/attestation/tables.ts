import type { DerivedTable } from '../../core/tables.ts';

const COLUMNS = [
  ['subject', 'String'],
  ['type', 'String'],
  ['attester', 'String'],
  ['height', 'UInt64'],
  ['expiry_ns', 'Int256'],
  ['revoked', 'UInt8'],
  ['evidence_hash', 'String'],
] as const;

/**
 * What an attester says of a subject: a second attestation of the same key replaces the first. Hashes are hex. An expiry
 * may be of the year 9999, which is beyond Int64 nanoseconds.
 */
export const ATTESTATIONS = {
  name: 'attestations',
  module: 'attestation',
  key: ['subject', 'type', 'attester'],
  columns: COLUMNS,
} as const satisfies DerivedTable;

/** The same versions in the order in which an attester's are counted. */
export const ATTESTATIONS_BY_ATTESTER = {
  name: 'attestations_by_attester',
  module: 'attestation',
  key: ['attester', 'type', 'subject'],
  columns: COLUMNS,
} as const satisfies DerivedTable;
