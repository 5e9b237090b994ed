import { formatTimeNs } from 'strata-kit/time';
import { latestVersions } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
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
  const columns = 'type, attester, expiry_ns, revoked, evidence_hash, height';
  const sql = latestVersions(snapshot, ATTESTATIONS, columns, `subject = ${quote(subject)}`);
  return readAll(await context.query(sql), (row) => {
    const [type, attester, expiryNs, revoked] = [row.string(), row.string(), row.i256(), row.bool()];
    return {
      type,
      attester,
      expiry: formatTimeNs(expiryNs),
      revoked,
      evidence_hash: row.string(),
      live: !revoked && expiryNs > snapshot.latestBlockTimeNs,
      updated_height: row.u64(),
    };
  });
}
