import type { Reading, RouteContext } from '../../api/route.ts';
import { groupRows, readAll } from '../../api/rows.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import { RECONCILIATION_CHECKS } from '../../core/tables.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import type { CheckName, ReconciledKind, RouteSide, TokenSide } from './checks.ts';

/** InvariantCheck of api.md. */
export interface InvariantCheckJson {
  readonly asset_id: string;
  readonly kind_id: number;
  readonly height: number;
  readonly agree: boolean;
  readonly chain: ReconciledKind;
  readonly indexer: ReconciledKind;
}

/** An asset's `latest_invariant_check`. */
export interface LatestCheckJson {
  readonly height: number;
  readonly agree: boolean;
  readonly checks: readonly InvariantCheckJson[];
}

/** I8Check of api.md. */
export interface I8CheckJson {
  readonly height: number;
  readonly chain_actual: string;
  readonly indexer_actual: string;
  readonly chain_ok: boolean;
  readonly evaluated: boolean;
  readonly agree: boolean;
}

/** Tok20Check of api.md. */
export interface Tok20CheckJson {
  readonly asset_id: string;
  readonly kind_id: number | null;
  readonly bundle: boolean;
  readonly height: number;
  readonly indexer_address: string;
  readonly chain_address: string;
  readonly evaluated: boolean;
  readonly agree: boolean;
}

interface ReadRow {
  readonly assetId: string;
  readonly kindId: number;
  readonly subject: string;
  readonly height: number;
  readonly evaluated: boolean;
  readonly agree: boolean;
  readonly chain: string;
  readonly indexer: string;
}

/** The newest check of each kind, of one asset or of all, by asset and kind. */
export function latestChecks(context: Reading, assetId?: string): Promise<readonly InvariantCheckJson[]> {
  return kindChecks(context, ofAsset(assetId));
}

/**
 * Those of one asset in one: as of the newest of them. Null before the first. Requests that ask at the same time share
 * its query.
 */
export async function latestAssetCheck(
  context: Pick<RouteContext, 'gather'>,
  assetId: string,
): Promise<LatestCheckJson | null> {
  const checks = await context.gather(checksOfAssets, assetId);
  if (checks === undefined) return null;
  return {
    height: Math.max(...checks.map(({ height }) => height)),
    agree: checks.every(({ agree }) => agree),
    checks,
  };
}

async function checksOfAssets(
  context: Reading,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, readonly InvariantCheckJson[]>> {
  const checks = await kindChecks(context, `asset_id IN (${assetIds.map(quote).join(', ')})`);
  return groupRows(checks, ({ asset_id }) => asset_id);
}

async function kindChecks(context: Reading, where: string): Promise<readonly InvariantCheckJson[]> {
  const rows = await latestRows(context, 'kind', where);
  return rows.map((row) => ({
    asset_id: row.assetId,
    kind_id: row.kindId,
    height: row.height,
    agree: row.agree,
    chain: JSON.parse(row.chain) as ReconciledKind,
    indexer: JSON.parse(row.indexer) as ReconciledKind,
  }));
}

/** The newest check of each route that had one. */
export async function routeChecks(
  context: Reading,
  routeIds: readonly string[],
): Promise<ReadonlyMap<string, I8CheckJson>> {
  if (routeIds.length === 0) return new Map();
  const rows = await latestRows(context, 'route', `subject IN (${routeIds.map(quote).join(', ')})`);
  return new Map(
    rows.map((row) => {
      const chain = JSON.parse(row.chain) as RouteSide;
      const indexer = JSON.parse(row.indexer) as RouteSide;
      const check = {
        height: row.height,
        chain_actual: chain.actual,
        indexer_actual: indexer.actual,
        chain_ok: chain.ok === true,
        evaluated: row.evaluated,
        agree: row.agree,
      };
      return [row.subject, check] as const;
    }),
  );
}

/** The newest check of each token, by asset, the bundle's before the kinds'. */
export async function tokenChecks(context: Reading, assetId?: string): Promise<readonly Tok20CheckJson[]> {
  const rows = await latestRows(context, 'token', ofAsset(assetId));
  return rows.map((row) => ({
    asset_id: row.assetId,
    kind_id: row.kindId < 0 ? null : row.kindId,
    bundle: row.kindId < 0,
    height: row.height,
    indexer_address: (JSON.parse(row.indexer) as TokenSide).address,
    chain_address: (JSON.parse(row.chain) as TokenSide).address,
    evaluated: row.evaluated,
    agree: row.agree,
  }));
}

function ofAsset(assetId: string | undefined): string {
  return assetId === undefined ? '1' : `asset_id = ${quote(assetId)}`;
}

/** The sides are long texts: they are read of the newest rows alone. */
async function latestRows({ snapshot, query }: Reading, check: CheckName, where: string): Promise<ReadRow[]> {
  const table = RECONCILIATION_CHECKS.name;
  const key = 'asset_id, kind_id, subject';
  const condition = `check = ${quote(check)} AND height <= ${uintLiteral(snapshot.indexedHeight)} AND ${where}`;
  const sql =
    `SELECT ${key}, height, evaluated, agree, chain, indexer FROM ${table} WHERE ${condition} ` +
    `AND (${key}, height) IN (SELECT ${key}, max(height) FROM ${table} WHERE ${condition} GROUP BY ${key}) ` +
    `ORDER BY ${key}, sequence DESC LIMIT 1 BY ${key}`;
  return readAll(await query(sql), readRow);
}

function readRow(row: RowReader): ReadRow {
  return {
    assetId: row.string(),
    kindId: row.i64(),
    subject: row.string(),
    height: row.u64(),
    evaluated: row.bool(),
    agree: row.bool(),
    chain: row.string(),
    indexer: row.string(),
  };
}
