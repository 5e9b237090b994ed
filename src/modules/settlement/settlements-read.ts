import { formatTimeNs } from 'strata-kit/time';
import { asOf, latestVersions } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import type { RowReader } from '../../core/rowbinary.ts';
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

const COLUMNS =
  'id, height, proposer, counterparty, legs, expiry, status, memo_hash, cancel_reason, created_height, ' +
  'created_time_ns, created_tx_hash, ended_height, ended_time_ns, ended_tx_hash, end_actor';

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
    const sql = latestVersions(context.snapshot, SETTLEMENTS, COLUMNS, where, height);
    return readAll(await context.query(sql), readSettlement);
  });
  return new Map(found.map((settlement) => [settlement.id, settlement]));
}

/** A subquery: the least id of a party's that is pending, NULL where it has none. */
function floorOf({ snapshot }: Reading, party: string, height: number | undefined): string {
  return (
    `(SELECT oldest_pending FROM ${SETTLEMENT_FLOORS.name} WHERE ${asOf(snapshot, SETTLEMENT_FLOORS, height)} ` +
    `AND party = ${quote(party)} ORDER BY height DESC LIMIT 1)`
  );
}

function readSettlement(row: RowReader): SettlementRecord {
  return {
    id: row.u64big(),
    updatedHeight: row.u64(),
    proposer: row.string(),
    counterparty: row.string(),
    legs: row.string(),
    expiry: row.string(),
    status: row.string(),
    memoHash: row.string(),
    cancelReason: row.string(),
    createdHeight: row.u64(),
    createdAt: formatTimeNs(row.i64big()),
    createdTxHash: txHashJson(row.fixed(32)),
    end: readEnd(row),
  };
}

function readEnd(row: RowReader): SettlementEnd | undefined {
  const end = {
    height: row.u64(),
    blockTime: formatTimeNs(row.i64big()),
    txHash: txHashJson(row.fixed(32)),
    actor: row.string() || null,
  };
  return end.height === 0 ? undefined : end;
}
