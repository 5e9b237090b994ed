import { expect, it } from 'vitest';
import { attestationDerivation } from '../../src/modules/attestation/derivation.ts';
import { ATTESTATIONS } from '../../src/modules/attestation/tables.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, tell } from './support/hand-written.ts';

const ABOUT = { subject: 'ann', type: 'kyc', attester: 'bob' };
const attested = (expiry: string) =>
  tell('attestation.v1.EventAttested', { ...ABOUT, expiry, evidence_hash: '' });
const revoked = () => tell('attestation.v1.EventRevoked', ABOUT);
const rowsOf = (...blocks: Parameters<typeof deriveAll>[0]) =>
  columnsOf(deriveAll(blocks, { derivations: [attestationDerivation] }), ATTESTATIONS, [
    'height',
    'expiry_ns',
    'revoked',
  ]);

it('an expiry of any year that a timestamp has is kept', () => {
  expect(rowsOf(blockOf(1, attested('9999-12-31T23:59:59.999999999Z')), blockOf(2, revoked()))).toEqual([
    ['1', '253402300799999999999', '0'],
    ['2', '253402300799999999999', '1'],
  ]);
});

it('an attestation after a revocation is not revoked', () => {
  const [first, second] = ['1970-01-01T00:00:05Z', '1970-01-01T00:00:06Z'];
  expect(
    rowsOf(
      blockOf(1, attested(first)),
      blockOf(2, revoked()),
      blockOf(3, attested(second)),
      blockOf(4, revoked(), attested(first)),
    ),
  ).toEqual([
    ['1', '5000000000', '0'],
    ['2', '5000000000', '1'],
    ['3', '6000000000', '0'],
    ['4', '5000000000', '0'],
  ]);
});
