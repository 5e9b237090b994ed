import { asOf, latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { columnNames } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import { inParts } from '../in-parts.ts';
import { jsonWithId, txHashJson } from '../record-json.ts';
import { DELEGATIONS, DELEGATIONS_BY_ACCOUNT } from './tables.ts';

/** The part of a request's context that reading takes. */
type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

/** A delegation as of a height. */
export interface DelegationRecord {
  readonly id: bigint;
  readonly holder: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly units: bigint;
  readonly delegate: string;
  /** RFC 3339. */
  readonly until: string;
  /** VOTE, INCOME. */
  readonly purposes: readonly string[];
  readonly revocable: boolean;
  /** Empty while active. */
  readonly ended: string;
  readonly createdHeight: number;
  /** Upper-case hex. */
  readonly createdTxHash: string | null;
  readonly endedHeight: number | null;
}

type Row = RowOf<typeof DELEGATIONS>;

/** As of the snapshot; unknown ids are left out. */
export async function delegationsByIds(
  context: Reading,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, DelegationRecord>> {
  const found = await inParts(ids, async (part) => {
    const where = `id IN (${part.map(uintLiteral).join(', ')})`;
    return latestRows(context, DELEGATIONS, columnNames(DELEGATIONS), where);
  });
  return new Map(found.map((row) => [row.id, readDelegation(row)]));
}

/** Those that an account takes part in as holder or delegate and that have not ended, newest first. */
export async function activeOf(context: Reading, account: string): Promise<DelegationRecord[]> {
  const rows = await context.query(
    `SELECT id FROM ${DELEGATIONS_BY_ACCOUNT.name} WHERE ${asOf(context.snapshot, DELEGATIONS_BY_ACCOUNT)} ` +
      `AND account = ${quote(account)} GROUP BY id HAVING max(gone) = 0 ORDER BY id DESC`,
  );
  const ids = readAll(rows, (row) => row.u64big());
  const found = await delegationsByIds(context, ids);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** JSON text of Delegation of api.md. */
export function delegationJson(delegation: DelegationRecord): string {
  return jsonWithId(delegation.id, {
    holder: delegation.holder,
    asset_id: delegation.assetId,
    kind_id: delegation.kindId,
    units: String(delegation.units),
    delegate: delegation.delegate,
    until: delegation.until,
    purposes: delegation.purposes,
    revocable: delegation.revocable,
    ended: delegation.ended,
    created_height: delegation.createdHeight,
    created_tx_hash: delegation.createdTxHash,
    ended_height: delegation.endedHeight,
  });
}

function readDelegation(row: Row): DelegationRecord {
  return {
    id: row.id,
    holder: row.holder,
    assetId: row.asset_id,
    kindId: row.kind_id,
    units: row.units,
    delegate: row.delegate,
    until: row.until,
    purposes: row.purposes,
    revocable: row.revocable,
    ended: row.ended,
    createdHeight: row.created_height,
    createdTxHash: txHashJson(row.created_tx_hash),
    endedHeight: row.ended_height || null,
  };
}
