import type { JsonObject } from 'strata-kit/proto-json';
import { type Fields, fieldsOf } from '../fields.ts';
import { attestationError } from './codes.ts';
import { type AttestationKey, isAttestationType } from './records.ts';

/** What messages, queries and a genesis say of an attestation, checked; refused as attestation/2. */

export function attestationFields(message: JsonObject, hrp: string): Fields {
  return fieldsOf(message, hrp, attestationError);
}

export function keyOf(fields: Fields): AttestationKey {
  const type = fields.text('type');
  if (!isAttestationType(type))
    throw attestationError('invalid', 'type: not 1 to 64 of letters, digits and ._:-, with no sign first');
  return { subject: fields.address('subject'), type, attester: fields.address('attester') };
}
