import type { TableBuilder } from '../../core/native.ts';
import type { DerivationSetup, EventContext, VersionReader } from '../../derive/derivation.ts';
import type { RightsState } from '../rights/state.ts';
import type { Distributed } from './events.ts';
import { type IncomeRoute, isRoute, type Ledger, type MutableAccrual, type Settlement } from './ledger.ts';
import {
  ACCRUALS,
  DISTRIBUTIONS,
  INCOME_ROUTES,
  INCOME_ROUTES_BY_BENEFICIARY,
  SETTLED_INCOME,
  SETTLED_INCOME_BY_ACCOUNT,
} from './tables.ts';

/** Appends the versions of what a block has changed. */
export function versionWriter(setup: DerivationSetup, { changed }: Ledger): (height: number) => void {
  const accruals = setup.table(ACCRUALS);
  const settled = [setup.table(SETTLED_INCOME), setup.table(SETTLED_INCOME_BY_ACCOUNT)];
  const routes = [setup.table(INCOME_ROUTES), setup.table(INCOME_ROUTES_BY_BENEFICIARY)];
  return (height) => {
    for (const accrual of changed.accruals) appendAccrual(accruals, accrual, height);
    for (const each of changed.settlements.values()) {
      for (const builder of settled) appendSettled(builder, each, height);
    }
    for (const route of changed.routes) for (const builder of routes) appendRoute(builder, route, height);
  };
}

function appendAccrual(
  builder: TableBuilder<typeof ACCRUALS>,
  accrual: MutableAccrual,
  height: number,
): void {
  builder.append({
    asset_id: accrual.assetId,
    kind_id: accrual.kindId,
    denom: accrual.denom,
    height,
    income_index: String(accrual.index),
    carry_scaled: String(accrual.carryScaled),
    total_distributed: accrual.totalDistributed,
    total_paid: accrual.totalPaid,
    distributions: accrual.distributions,
    updated_height: accrual.updatedHeight,
  });
}

function appendSettled(
  builder: TableBuilder<typeof SETTLED_INCOME> | TableBuilder<typeof SETTLED_INCOME_BY_ACCOUNT>,
  { accrual, basis, node }: Settlement,
  height: number,
): void {
  builder.append({
    asset_id: accrual.assetId,
    kind_id: accrual.kindId,
    account: isRoute(basis) ? basis.beneficiary : basis.holder,
    ref: isRoute(basis) ? basis.ref : '',
    denom: accrual.denom,
    height,
    last_index: String(node.lastIndex),
    accrued: node.accrued,
  });
}

function appendRoute(
  builder: TableBuilder<typeof INCOME_ROUTES> | TableBuilder<typeof INCOME_ROUTES_BY_BENEFICIARY>,
  { assetId, kindId, beneficiary, ref, holder, units }: IncomeRoute,
  height: number,
): void {
  builder.append({ asset_id: assetId, kind_id: kindId, beneficiary, ref, height, holder, units });
}

const NO_HASH = new Uint8Array(32);

/** Appends a distribution with what was derived of it. */
export function distributionWriter(
  setup: DerivationSetup,
): (event: Distributed, after: MutableAccrual, supply: bigint, context: EventContext) => void {
  const builder = setup.table(DISTRIBUTIONS);
  return ({ assetId, kindId, denom, payer, amount }, { index, carryScaled }, supply, context) => {
    builder.append({
      asset_id: assetId,
      height: context.height,
      ordinal: context.ordinal,
      tx_index: context.txIndex,
      event_index: context.eventIndex,
      kind_id: kindId,
      denom,
      payer,
      amount,
      new_index: String(index),
      carry_scaled: String(carryScaled),
      supply,
      tx_hash: context.txHash ?? NO_HASH,
      block_time_ns: context.timeNs,
    });
  };
}

/** Reads accruals, routes and settled bases back from their newest versions. */
export async function restoreLedger(
  ledger: Ledger,
  rights: RightsState,
  versions: VersionReader,
): Promise<void> {
  await versions.latest(
    ACCRUALS,
    [
      'asset_id',
      'kind_id',
      'denom',
      'income_index',
      'carry_scaled',
      'total_distributed',
      'total_paid',
      'distributions',
      'updated_height',
    ],
    (row) =>
      ledger.putAccrual(row.asset_id, row.kind_id, row.denom, {
        index: BigInt(row.income_index),
        carryScaled: BigInt(row.carry_scaled),
        totalDistributed: row.total_distributed,
        totalPaid: row.total_paid,
        distributions: row.distributions,
        updatedHeight: row.updated_height,
      }),
  );
  await versions.latest(
    INCOME_ROUTES,
    ['asset_id', 'kind_id', 'ref', 'holder', 'beneficiary', 'units'],
    (row) =>
      ledger.putRoute({
        assetId: row.asset_id,
        kindId: row.kind_id,
        ref: row.ref,
        holder: row.holder,
        beneficiary: row.beneficiary,
        units: row.units,
        settled: undefined,
      }),
  );
  await versions.latest(
    SETTLED_INCOME,
    ['asset_id', 'kind_id', 'account', 'ref', 'denom', 'last_index', 'accrued'],
    (row) => {
      const [assetId, kindId, account, ref] = [row.asset_id, row.kind_id, row.account, row.ref];
      const accrual = ledger.getAccrual(assetId, kindId, row.denom);
      const [lastIndex, accrued] = [BigInt(row.last_index), row.accrued];
      const basis = ref === '' ? rights.positionOf(assetId, kindId, account) : ledger.getRoute(ref);
      if (accrual !== undefined && basis !== undefined) {
        ledger.putSettled(accrual, basis, lastIndex, accrued);
      }
    },
  );
  // those who have left and were paid: what they had is not held in memory
  rights.dropEmpty();
  ledger.dropEnded();
}
