import { latestVersions } from '../../api/as-of.ts';
import type { Reading, RouteContext } from '../../api/route.ts';
import { groupRows, readAll } from '../../api/rows.ts';
import { quote } from '../../store/sql.ts';
import type { KindTotals } from './state.ts';
import { KIND_TOTALS, LOCKS_BY_HOLDER, POSITIONS_BY_HOLDER } from './tables.ts';

export const NO_TOTALS: KindTotals = { supply: 0n, positions: 0n, encumbered: 0n, holderCount: 0 };

/** By kind id; a kind that was never issued has none (NO_TOTALS). Requests that ask at the same time share its query. */
export async function kindTotals(
  context: Pick<RouteContext, 'gather'>,
  assetId: string,
): Promise<ReadonlyMap<number, KindTotals>> {
  return (await context.gather(totalsOfAssets, assetId)) ?? new Map();
}

async function totalsOfAssets(
  { snapshot, query }: Reading,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, KindTotals>>> {
  const columns = 'asset_id, kind_id, supply, positions, encumbered, holder_count';
  const where = `asset_id IN (${assetIds.map(quote).join(', ')})`;
  const rows = readAll(await query(latestVersions(snapshot, KIND_TOTALS, columns, where)), (row) => ({
    assetId: row.string(),
    kindId: row.u32(),
    totals: { supply: row.i256(), positions: row.i256(), encumbered: row.i256(), holderCount: row.u64() },
  }));
  const byAsset = [...groupRows(rows, ({ assetId }) => assetId)];
  return new Map(
    byAsset.map(([id, kinds]) => [id, new Map(kinds.map(({ kindId, totals }) => [kindId, totals]))]),
  );
}

/** What an account (canonical bech32) has of a kind. */
export interface HeldPosition {
  readonly assetId: string;
  readonly kindId: number;
  readonly units: bigint;
  /** Sum of the locks. */
  readonly encumbered: bigint;
  /** Units whose income goes to others. */
  readonly routed: bigint;
}

/** Its positions of which anything is left, by asset and kind. */
export async function positionsOf({ snapshot, query }: Reading, holder: string): Promise<HeldPosition[]> {
  const columns = 'asset_id, kind_id, units, encumbered, routed';
  const where = `holder = ${quote(holder)}`;
  const found = readAll(
    await query(latestVersions(snapshot, POSITIONS_BY_HOLDER, columns, where)),
    (row): HeldPosition => ({
      assetId: row.string(),
      kindId: row.u32(),
      units: row.i256(),
      encumbered: row.i256(),
      routed: row.i256(),
    }),
  );
  return found.filter(({ units, encumbered }) => units !== 0n || encumbered !== 0n);
}

export interface HeldLock {
  readonly assetId: string;
  readonly kindId: number;
  /** Whose lock it is: `settlement/7`, `encumbrance/3`, `delegation/2`. */
  readonly ref: string;
  readonly units: bigint;
}

/** An account's locks, by asset, kind and ref. */
export async function locksOf({ snapshot, query }: Reading, holder: string): Promise<HeldLock[]> {
  const columns = 'asset_id, kind_id, ref, units';
  const where = `holder = ${quote(holder)}`;
  const found = readAll(
    await query(latestVersions(snapshot, LOCKS_BY_HOLDER, columns, where)),
    (row): HeldLock => ({
      assetId: row.string(),
      kindId: row.u32(),
      ref: row.string(),
      units: row.i256(),
    }),
  );
  return found.filter(({ units }) => units !== 0n);
}
