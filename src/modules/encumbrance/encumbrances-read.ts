import { formatTimeNs } from 'strata-kit/time';
import { asOf, latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { columnNames, selection } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
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

type Row = RowOf<typeof ENCUMBRANCES>;

/** As of a height, the snapshot's by default; unknown ids are left out. */
export async function encumbrancesByIds(
  context: Reading,
  ids: readonly bigint[],
  height?: number,
): Promise<ReadonlyMap<bigint, EncumbranceRecord>> {
  const found = await inParts(ids, async (part) => {
    const where = `id IN (${part.map(uintLiteral).join(', ')})`;
    return latestRows(context, ENCUMBRANCES, columnNames(ENCUMBRANCES), where, height);
  });
  return new Map(found.map((row) => [row.id, readEncumbrance(row)]));
}

const TIMELINE = selection(ENCUMBRANCE_TIMELINE);

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
    `SELECT ${TIMELINE.columns} FROM ${ENCUMBRANCE_TIMELINE.name} ` +
      `WHERE ${asOf(context.snapshot, ENCUMBRANCE_TIMELINE)} AND id = ${uintLiteral(id)} ORDER BY height, ordinal`,
  );
  return readAll(rows, TIMELINE.read).map((row) => ({
    event: row.event,
    height: row.height,
    block_time: formatTimeNs(row.block_time_ns),
    tx_hash: txHashJson(row.tx_hash),
    actor: row.actor || null,
    actor_role: row.actor_role || null,
    units: { amount: String(row.units) },
  }));
}

function readEncumbrance(row: Row): EncumbranceRecord {
  return {
    id: row.id,
    updatedHeight: row.height,
    kind: row.kind,
    assetId: row.asset_id,
    kindId: row.kind_id,
    holder: row.holder,
    units: row.units,
    beneficiary: row.beneficiary,
    incomeToBeneficiary: row.income_to_beneficiary,
    holderReleaseAfter: timeJson(row.holder_release_after),
    exercisable: row.exercisable,
    expiry: timeJson(row.expiry),
    evidenceHash: row.evidence_hash,
    status: row.status,
    createdHeight: row.created_height,
    createdAt: formatTimeNs(row.created_time_ns),
    createdTxHash: txHashJson(row.created_tx_hash),
    resolvedHeight: row.resolved_height || null,
  };
}
