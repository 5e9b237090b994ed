import { latestVersions } from '../../api/as-of.ts';
import type { Reading } from '../../api/route.ts';
import { groupRows, readAll } from '../../api/rows.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import { quote } from '../../store/sql.ts';
import { inParts } from '../in-parts.ts';
import { accrualValues } from './income.ts';
import type { Accrual } from './state.ts';
import { type SumReading, sumClaimable } from './sum-claimable.ts';
import { ACCRUALS } from './tables.ts';

/** Accrual of api.md. */
export interface AccrualJson {
  readonly kind_id: number;
  readonly denom: string;
  readonly index: string;
  readonly carry_scaled: string;
  readonly total_distributed: string;
  readonly total_paid: string;
  readonly distributions_count: number;
  readonly module_held: string;
  readonly sum_claimable: string;
  readonly carry: string;
  readonly residue: string;
  readonly updated_height: number;
}

/** As of the snapshot. */
export interface AccrualVersion extends Accrual {
  /** Of the last distribution or claim. */
  readonly updatedHeight: number;
}

/** An asset's accruals with what all bases could claim, by kind and denom. A first answer may take seconds. */
export async function accrualsOf(context: SumReading, assetId: string): Promise<AccrualJson[]> {
  const answers: AccrualJson[] = [];
  for (const accrual of (await context.gather(accrualsByAsset, assetId)) ?? []) {
    const claimable = await sumClaimable(context, accrual);
    const { moduleHeld, carry, residue } = accrualValues(accrual, claimable);
    answers.push({
      kind_id: accrual.kindId,
      denom: accrual.denom,
      index: String(accrual.index),
      carry_scaled: String(accrual.carryScaled),
      total_distributed: String(accrual.totalDistributed),
      total_paid: String(accrual.totalPaid),
      distributions_count: accrual.distributions,
      module_held: String(moduleHeld),
      sum_claimable: String(claimable),
      carry: String(carry),
      residue: String(residue),
      updated_height: accrual.updatedHeight,
    });
  }
  return answers;
}

/** Without the sums over the bases. */
async function accrualsByAsset(
  context: Reading,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AccrualVersion[]>> {
  return groupRows(await accrualsOfAssets(context, assetIds), ({ assetId }) => assetId);
}

/** Of several assets, by asset, kind and denom. */
export async function accrualsOfAssets(
  { snapshot, query }: Reading,
  assetIds: readonly string[],
): Promise<AccrualVersion[]> {
  const columns =
    'asset_id, kind_id, toString(denom), income_index, carry_scaled, total_distributed, total_paid, distributions, updated_height';
  return inParts(assetIds, async (part) => {
    const where = `asset_id IN (${part.map(quote).join(', ')})`;
    return readAll(await query(latestVersions(snapshot, ACCRUALS, columns, where)), readAccrual);
  });
}

function readAccrual(row: RowReader): AccrualVersion {
  return {
    assetId: row.string(),
    kindId: row.u32(),
    denom: row.string(),
    index: BigInt(row.string()),
    carryScaled: BigInt(row.string()),
    totalDistributed: row.i256(),
    totalPaid: row.i256(),
    distributions: row.u64(),
    updatedHeight: row.u64(),
  };
}
