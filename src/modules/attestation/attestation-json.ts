import { formatTimeNs } from 'strata-kit/time';
import { latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { quote } from '../../store/sql.ts';
import { ATTESTATIONS } from './tables.ts';

/** Attestation of api.md. */
export interface AttestationJson {
  readonly type: string;
  readonly attester: string;
  readonly expiry: string;
  readonly revoked: boolean;
  readonly evidence_hash: string;
  /** Not revoked, and expiry > latest_block_time. */
  readonly live: boolean;
  readonly updated_height: number;
}

/** Every attestation about an account (canonical bech32), revoked and expired ones included, by type and attester. */
export async function attestationsOf(context: RouteContext, subject: string): Promise<AttestationJson[]> {
  const { snapshot } = context;
  const columns = ['type', 'attester', 'expiry_ns', 'revoked', 'evidence_hash', 'height'] as const;
  const rows = await latestRows(context, ATTESTATIONS, columns, `subject = ${quote(subject)}`);
  return rows.map(({ type, attester, expiry_ns: expiryNs, revoked, evidence_hash, height }) => ({
    type,
    attester,
    expiry: formatTimeNs(expiryNs),
    revoked,
    evidence_hash,
    live: !revoked && expiryNs > snapshot.latestBlockTimeNs,
    updated_height: height,
  }));
}
