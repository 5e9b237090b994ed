import { latestRows } from '../../api/as-of.ts';
import type { Reading } from '../../api/route.ts';
import { groupRows } from '../../api/rows.ts';
import { columnNames } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
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
  context: Reading,
  assetIds: readonly string[],
): Promise<AccrualVersion[]> {
  return inParts(assetIds, async (part) => {
    const where = `asset_id IN (${part.map(quote).join(', ')})`;
    return (await latestRows(context, ACCRUALS, columnNames(ACCRUALS), where)).map(readAccrual);
  });
}

function readAccrual(row: RowOf<typeof ACCRUALS>): AccrualVersion {
  return {
    assetId: row.asset_id,
    kindId: row.kind_id,
    denom: row.denom,
    index: BigInt(row.income_index),
    carryScaled: BigInt(row.carry_scaled),
    totalDistributed: row.total_distributed,
    totalPaid: row.total_paid,
    distributions: row.distributions,
    updatedHeight: row.updated_height,
  };
}
