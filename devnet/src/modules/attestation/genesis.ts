import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../../app/module.ts';
import { attestationFields, keyOf } from './input.ts';
import { putAttestation } from './keeper.ts';

/** Takes what the query Export answers. Expired ones are records as well. */
export function initAttestations(context: Context, genesis: JsonObject): void {
  const { hrp } = context.parameters;
  for (const fields of attestationFields(genesis, hrp).messages('attestations')) {
    const expiryNs = fields.requiredTimeNs('expiry');
    const evidenceHash = fields.hash('evidence_hash');
    putAttestation(context, { ...keyOf(fields), expiryNs, evidenceHash, revoked: fields.flag('revoked') });
  }
}
