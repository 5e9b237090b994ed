import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import type { MessageContext, MessageHandler } from '../../app/module.ts';
import { attestationError } from './codes.ts';
import { attestationFields, keyOf } from './input.ts';
import { attestation, putAttestation } from './keeper.ts';

/** Anyone attests; another one of the same subject, type and attester takes its place, a revoked one's too. */
function attest(context: MessageContext, message: JsonObject): JsonObject {
  const fields = attestationFields(message, context.parameters.hrp);
  const key = keyOf(fields);
  const expiryNs = fields.timeNs('expiry') ?? null;
  if (expiryNs === null || expiryNs <= context.timeNs)
    throw attestationError(
      'expired',
      expiryNs === null
        ? 'expiry: missing'
        : `expiry: ${formatTimeNs(expiryNs)} is not after the block's time`,
    );
  const made = { ...key, expiryNs, evidenceHash: fields.hash('evidence_hash'), revoked: false };
  putAttestation(context, made);
  context.emit('attestation.EventAttested', {
    ...key,
    expiry: formatTimeNs(expiryNs),
    evidence_hash: made.evidenceHash,
  });
  return {};
}

/** By the same attester alone, once. */
function revoke(context: MessageContext, message: JsonObject): JsonObject {
  const key = keyOf(attestationFields(message, context.parameters.hrp));
  const found = attestation(context.state, key);
  const name = `attestation of ${key.subject}, ${key.type}, by ${key.attester}`;
  if (found === undefined) throw attestationError('notFound', `no ${name}`);
  if (found.revoked) throw attestationError('alreadyRevoked', `the ${name} is revoked already`);
  putAttestation(context, { ...found, revoked: true });
  context.emit('attestation.EventRevoked', { ...key });
  return {};
}

export const attestationMessages: Readonly<Record<string, MessageHandler>> = {
  '/<ns>.attestation.v1.MsgAttest': attest,
  '/<ns>.attestation.v1.MsgRevoke': revoke,
};
