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
  const { columns } = builder;
  columns.asset_id.text(accrual.assetId);
  columns.kind_id.u32(accrual.kindId);
  columns.denom.text(accrual.denom);
  columns.height.u64(height);
  columns.income_index.text(String(accrual.index));
  columns.carry_scaled.text(String(accrual.carryScaled));
  columns.total_distributed.i256(accrual.totalDistributed);
  columns.total_paid.i256(accrual.totalPaid);
  columns.distributions.u64(accrual.distributions);
  columns.updated_height.u64(accrual.updatedHeight);
  builder.rows++;
}

function appendSettled(
  builder: TableBuilder<typeof SETTLED_INCOME> | TableBuilder<typeof SETTLED_INCOME_BY_ACCOUNT>,
  { accrual, basis, node }: Settlement,
  height: number,
): void {
  const { columns } = builder;
  columns.asset_id.text(accrual.assetId);
  columns.kind_id.u32(accrual.kindId);
  columns.account.text(isRoute(basis) ? basis.beneficiary : basis.holder);
  columns.ref.text(isRoute(basis) ? basis.ref : '');
  columns.denom.text(accrual.denom);
  columns.height.u64(height);
  columns.last_index.text(String(node.lastIndex));
  columns.accrued.i256(node.accrued);
  builder.rows++;
}

function appendRoute(
  builder: TableBuilder<typeof INCOME_ROUTES> | TableBuilder<typeof INCOME_ROUTES_BY_BENEFICIARY>,
  { assetId, kindId, beneficiary, ref, holder, units }: IncomeRoute,
  height: number,
): void {
  const { columns } = builder;
  columns.asset_id.text(assetId);
  columns.kind_id.u32(kindId);
  columns.beneficiary.text(beneficiary);
  columns.ref.text(ref);
  columns.height.u64(height);
  columns.holder.text(holder);
  columns.units.i256(units);
  builder.rows++;
}

const NO_HASH = new Uint8Array(32);

/** Appends a distribution with what was derived of it. */
export function distributionWriter(
  setup: DerivationSetup,
): (event: Distributed, after: MutableAccrual, supply: bigint, context: EventContext) => void {
  const builder = setup.table(DISTRIBUTIONS);
  const { columns } = builder;
  return ({ assetId, kindId, denom, payer, amount }, { index, carryScaled }, supply, context) => {
    columns.asset_id.text(assetId);
    columns.height.u64(context.height);
    columns.ordinal.u32(context.ordinal);
    columns.tx_index.i32(context.txIndex);
    columns.event_index.u32(context.eventIndex);
    columns.kind_id.u32(kindId);
    columns.denom.text(denom);
    columns.payer.text(payer);
    columns.amount.i256(amount);
    columns.new_index.text(String(index));
    columns.carry_scaled.text(String(carryScaled));
    columns.supply.i256(supply);
    columns.tx_hash.fixed(context.txHash ?? NO_HASH);
    columns.block_time_ns.i64big(context.timeNs);
    builder.rows++;
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
      ledger.putAccrual(row.string(), row.u32(), row.string(), {
        index: BigInt(row.string()),
        carryScaled: BigInt(row.string()),
        totalDistributed: row.i256(),
        totalPaid: row.i256(),
        distributions: row.u64(),
        updatedHeight: row.u64(),
      }),
  );
  await versions.latest(
    INCOME_ROUTES,
    ['asset_id', 'kind_id', 'ref', 'holder', 'beneficiary', 'units'],
    (row) =>
      ledger.putRoute({
        assetId: row.string(),
        kindId: row.u32(),
        ref: row.string(),
        holder: row.string(),
        beneficiary: row.string(),
        units: row.i256(),
        settled: undefined,
      }),
  );
  await versions.latest(
    SETTLED_INCOME,
    ['asset_id', 'kind_id', 'account', 'ref', 'denom', 'last_index', 'accrued'],
    (row) => {
      const [assetId, kindId, account, ref] = [row.string(), row.u32(), row.string(), row.string()];
      const accrual = ledger.getAccrual(assetId, kindId, row.string());
      const [lastIndex, accrued] = [BigInt(row.string()), row.i256()];
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
