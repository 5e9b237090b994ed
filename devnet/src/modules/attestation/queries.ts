import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import type { QueryHandler } from '../../app/module.ts';
import { attestationFields, keyOf } from './input.ts';
import { attestation, attestations } from './keeper.ts';
import type { Attestation } from './records.ts';

const attestationQuery: QueryHandler = (reader, request, { parameters }) => {
  const key = keyOf(attestationFields(request, parameters.hrp));
  const found = attestation(reader, key);
  if (found === undefined)
    throw sdkError('notFound', `attestation of ${key.subject}, ${key.type}, by ${key.attester}: not found`);
  return { attestation: attestationJson(found) };
};

const attestationsQuery: QueryHandler = (reader, request, { parameters }) => ({
  attestations: attestations(reader, attestationFields(request, parameters.hrp).address('subject')).map(
    attestationJson,
  ),
});

/** Also the shape of the module's genesis. */
const exportQuery: QueryHandler = (reader) => ({ attestations: attestations(reader).map(attestationJson) });

function attestationJson({
  subject,
  type,
  attester,
  expiryNs,
  evidenceHash,
  revoked,
}: Attestation): JsonObject {
  return { subject, type, attester, expiry: formatTimeNs(expiryNs), evidence_hash: evidenceHash, revoked };
}

export const attestationQueries: Readonly<Record<string, QueryHandler>> = {
  '/<ns>.attestation.v1.Query/Attestation': attestationQuery,
  '/<ns>.attestation.v1.Query/Attestations': attestationsQuery,
  '/<ns>.attestation.v1.Query/Export': exportQuery,
};
