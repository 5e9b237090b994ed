import { latestRows } from '../../api/as-of.ts';
import type { Reading, RouteContext } from '../../api/route.ts';
import { groupRows } from '../../api/rows.ts';
import type { RowOf } from '../../core/table.ts';
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
  context: Reading,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, KindTotals>>> {
  const columns = ['asset_id', 'kind_id', 'supply', 'positions', 'encumbered', 'holder_count'] as const;
  const where = `asset_id IN (${assetIds.map(quote).join(', ')})`;
  const rows = await latestRows(context, KIND_TOTALS, columns, where);
  const byAsset = [...groupRows(rows, ({ asset_id: assetId }) => assetId)];
  return new Map(
    byAsset.map(([id, kinds]) => [id, new Map(kinds.map((row) => [row.kind_id, totalsOf(row)]))]),
  );
}

function totalsOf({
  supply,
  positions,
  encumbered,
  holder_count: holderCount,
}: RowOf<typeof KIND_TOTALS, 'supply' | 'positions' | 'encumbered' | 'holder_count'>): KindTotals {
  return { supply, positions, encumbered, holderCount };
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
export async function positionsOf(context: Reading, holder: string): Promise<HeldPosition[]> {
  const columns = ['asset_id', 'kind_id', 'units', 'encumbered', 'routed'] as const;
  const where = `holder = ${quote(holder)}`;
  const found = await latestRows(context, POSITIONS_BY_HOLDER, columns, where);
  return found
    .filter(({ units, encumbered }) => units !== 0n || encumbered !== 0n)
    .map(({ asset_id: assetId, kind_id: kindId, ...held }) => ({ assetId, kindId, ...held }));
}

export interface HeldLock {
  readonly assetId: string;
  readonly kindId: number;
  /** Whose lock it is: `settlement/7`, `encumbrance/3`, `delegation/2`. */
  readonly ref: string;
  readonly units: bigint;
}

/** An account's locks, by asset, kind and ref. */
export async function locksOf(context: Reading, holder: string): Promise<HeldLock[]> {
  const columns = ['asset_id', 'kind_id', 'ref', 'units'] as const;
  const where = `holder = ${quote(holder)}`;
  const found = await latestRows(context, LOCKS_BY_HOLDER, columns, where);
  return found
    .filter(({ units }) => units !== 0n)
    .map(({ asset_id: assetId, kind_id: kindId, ...held }) => ({ assetId, kindId, ...held }));
}
