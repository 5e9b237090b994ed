import { delta, flag, i256, text, u64, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

const COLUMNS = {
  subject: text,
  type: word,
  attester: text,
  height: delta(u64),
  expiry_ns: i256,
  revoked: flag,
  evidence_hash: text,
};

/**
 * What an attester says of a subject: a second attestation of the same key replaces the first. Hashes are hex. An expiry
 * may be of the year 9999, which is beyond Int64 nanoseconds.
 */
export const ATTESTATIONS = derivedTable({
  name: 'attestations',
  module: 'attestation',
  key: ['subject', 'type', 'attester'],
  columns: COLUMNS,
});

/** The same versions in the order in which an attester's are counted. */
export const ATTESTATIONS_BY_ATTESTER = derivedTable({
  name: 'attestations_by_attester',
  module: 'attestation',
  key: ['attester', 'type', 'subject'],
  columns: COLUMNS,
});
