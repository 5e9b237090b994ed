import { formatTimeNs } from 'strata-kit/time';
import { asOf, latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { columnNames } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import { inParts } from '../in-parts.ts';
import { txHashJson } from '../record-json.ts';
import { ALL, PENDING } from './derivation.ts';
import { SETTLEMENT_FLOORS, SETTLEMENT_LISTS, SETTLEMENTS } from './tables.ts';

/** The part of a request's context that reading takes. */
type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

/** A settlement as of a height. */
export interface SettlementRecord {
  readonly id: bigint;
  readonly updatedHeight: number;
  readonly proposer: string;
  readonly counterparty: string;
  /** Proto-JSON text. */
  readonly legs: string;
  readonly expiry: string;
  readonly status: string;
  readonly memoHash: string;
  readonly cancelReason: string;
  readonly createdHeight: number;
  readonly createdAt: string;
  /** Upper-case hex. */
  readonly createdTxHash: string | null;
  /** Undefined while it is pending. */
  readonly end: SettlementEnd | undefined;
}

export interface SettlementEnd {
  readonly height: number;
  readonly blockTime: string;
  readonly txHash: string | null;
  readonly actor: string | null;
}

type Row = RowOf<typeof SETTLEMENTS>;

export interface SettlementFilter {
  /** Proposer or counterparty; both where undefined. */
  readonly party?: string | undefined;
  /** As the proto has it. */
  readonly status?: string | undefined;
  /** Only ids below it. */
  readonly below?: bigint | undefined;
  /** What the filter and the records are as of; the snapshot by default. */
  readonly height?: number | undefined;
}

/** The first `limit` settlements that fit, newest first; all without a limit. */
export async function findSettlements(
  context: Reading,
  { party, status, below, height }: SettlementFilter,
  limit?: number,
): Promise<readonly SettlementRecord[]> {
  const { snapshot } = context;
  const isBelow = below === undefined ? '' : ` AND id < ${uintLiteral(below)}`;
  const limited = limit === undefined ? '' : ` LIMIT ${uintLiteral(limit)}`;
  const members =
    `SELECT id FROM ${SETTLEMENT_LISTS.name} WHERE ${asOf(snapshot, SETTLEMENT_LISTS, height)} ` +
    `AND party = ${quote(party ?? ALL)} AND status = ${quote(status ?? PENDING)}${isBelow} `;
  // everything was pending once, and nothing leaves another list than that
  const sql =
    status === PENDING
      ? `${members}AND id >= ${floorOf(context, party ?? ALL, height)} ` +
        `GROUP BY id HAVING max(gone) = 0 ORDER BY id DESC${limited}`
      : `${members}AND gone = 0 ORDER BY id DESC${limited}`;
  const ids = readAll(await context.query(sql), (row) => row.u64big());
  const found = await settlementsByIds(context, ids, height);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Those that an account is a party of and that are pending, newest first. */
export function pendingOf(context: Reading, account: string): Promise<readonly SettlementRecord[]> {
  return findSettlements(context, { party: account, status: PENDING });
}

/** As of a height, the snapshot's by default; unknown ids are left out. */
export async function settlementsByIds(
  context: Reading,
  ids: readonly bigint[],
  height?: number,
): Promise<ReadonlyMap<bigint, SettlementRecord>> {
  const found = await inParts(ids, async (part) => {
    const where = `id IN (${part.map(uintLiteral).join(', ')})`;
    return latestRows(context, SETTLEMENTS, columnNames(SETTLEMENTS), where, height);
  });
  return new Map(found.map((row) => [row.id, readSettlement(row)]));
}

/** A subquery: the least id of a party's that is pending, NULL where it has none. */
function floorOf({ snapshot }: Reading, party: string, height: number | undefined): string {
  return (
    `(SELECT oldest_pending FROM ${SETTLEMENT_FLOORS.name} WHERE ${asOf(snapshot, SETTLEMENT_FLOORS, height)} ` +
    `AND party = ${quote(party)} ORDER BY height DESC LIMIT 1)`
  );
}

function readSettlement(row: Row): SettlementRecord {
  return {
    id: row.id,
    updatedHeight: row.height,
    proposer: row.proposer,
    counterparty: row.counterparty,
    legs: row.legs,
    expiry: row.expiry,
    status: row.status,
    memoHash: row.memo_hash,
    cancelReason: row.cancel_reason,
    createdHeight: row.created_height,
    createdAt: formatTimeNs(row.created_time_ns),
    createdTxHash: txHashJson(row.created_tx_hash),
    end: readEnd(row),
  };
}

function readEnd(row: Row): SettlementEnd | undefined {
  const end = {
    height: row.ended_height,
    blockTime: formatTimeNs(row.ended_time_ns),
    txHash: txHashJson(row.ended_tx_hash),
    actor: row.end_actor || null,
  };
  return end.height === 0 ? undefined : end;
}
