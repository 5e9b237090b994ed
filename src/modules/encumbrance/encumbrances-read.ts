import { formatTimeNs } from 'strata-kit/time';
import { asOf, latestVersions } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import { uintLiteral } from '../../store/sql.ts';
import { inParts } from '../in-parts.ts';
import { timeJson, txHashJson } from '../record-json.ts';
import { ENCUMBRANCE_TIMELINE, ENCUMBRANCES } from './tables.ts';

/** The part of a request's context that reading takes. */
type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

/** An encumbrance as of a height. Times are RFC 3339. */
export interface EncumbranceRecord {
  readonly id: bigint;
  readonly updatedHeight: number;
  /** pledge, lien, lockup. */
  readonly kind: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  /** Still locked; 0 once resolved. */
  readonly units: bigint;
  /** Empty for lockups. */
  readonly beneficiary: string;
  readonly incomeToBeneficiary: boolean;
  readonly holderReleaseAfter: string | null;
  readonly exercisable: boolean;
  readonly expiry: string | null;
  readonly evidenceHash: string;
  /** active, released, exercised, expired. */
  readonly status: string;
  readonly createdHeight: number;
  readonly createdAt: string;
  /** Upper-case hex. */
  readonly createdTxHash: string | null;
  readonly resolvedHeight: number | null;
}

const COLUMNS =
  'id, height, kind, asset_id, kind_id, holder, units, beneficiary, income_to_beneficiary, holder_release_after, ' +
  'exercisable, expiry, evidence_hash, status, created_height, created_time_ns, created_tx_hash, resolved_height';

/** As of a height, the snapshot's by default; unknown ids are left out. */
export async function encumbrancesByIds(
  context: Reading,
  ids: readonly bigint[],
  height?: number,
): Promise<ReadonlyMap<bigint, EncumbranceRecord>> {
  const found = await inParts(ids, async (part) => {
    const where = `id IN (${part.map(uintLiteral).join(', ')})`;
    const sql = latestVersions(context.snapshot, ENCUMBRANCES, COLUMNS, where, height);
    return readAll(await context.query(sql), readEncumbrance);
  });
  return new Map(found.map((encumbrance) => [encumbrance.id, encumbrance]));
}

/** EncumbranceTimelineEntry of api.md. */
export interface EncumbranceTimelineEntry {
  readonly event: string;
  readonly height: number;
  readonly block_time: string;
  readonly tx_hash: string | null;
  readonly actor: string | null;
  readonly actor_role: string | null;
  readonly units: { readonly amount: string } | null;
}

/** Oldest first. */
export async function timelineOf(context: Reading, id: bigint): Promise<EncumbranceTimelineEntry[]> {
  const rows = await context.query(
    `SELECT event, height, block_time_ns, tx_hash, actor, actor_role, units FROM ${ENCUMBRANCE_TIMELINE.name} ` +
      `WHERE ${asOf(context.snapshot, ENCUMBRANCE_TIMELINE)} AND id = ${uintLiteral(id)} ORDER BY height, ordinal`,
  );
  return readAll(rows, (row) => ({
    event: row.string(),
    height: row.u64(),
    block_time: formatTimeNs(row.i64big()),
    tx_hash: txHashJson(row.fixed(32)),
    actor: row.string() || null,
    actor_role: row.string() || null,
    units: { amount: String(row.i256()) },
  }));
}

function readEncumbrance(row: RowReader): EncumbranceRecord {
  return {
    id: row.u64big(),
    updatedHeight: row.u64(),
    kind: row.string(),
    assetId: row.string(),
    kindId: row.u32(),
    holder: row.string(),
    units: row.i256(),
    beneficiary: row.string(),
    incomeToBeneficiary: row.bool(),
    holderReleaseAfter: timeJson(row.string()),
    exercisable: row.bool(),
    expiry: timeJson(row.string()),
    evidenceHash: row.string(),
    status: row.string(),
    createdHeight: row.u64(),
    createdAt: formatTimeNs(row.i64big()),
    createdTxHash: txHashJson(row.fixed(32)),
    resolvedHeight: row.u64() || null,
  };
}
