import type { QueryJson } from '../../modules/export.ts';
import { integer, list, text } from '../../modules/export-json.ts';
import { ACCRUALS } from '../../modules/payout/tables.ts';
import type { CheckRow, ReconciledAccrual, ReconciledKind } from '../../modules/reconciliation/checks.ts';
import { KIND_TOTALS, POSITIONS } from '../../modules/rights/tables.ts';
import { quote } from '../../store/sql.ts';
import { sideBySide } from '../side-by-side.ts';
import { type CheckContext, type CheckedAsset, evaluatedRow } from './context.ts';

/** Supply, units, locks and income of each kind (api.md, InvariantCheck). A kind is compared whole or not at all. */
export async function checkKinds(
  context: CheckContext,
  assets: readonly CheckedAsset[],
  kindsOf: ReadonlyMap<string, readonly number[]>,
): Promise<readonly CheckRow[]> {
  const derived = await readDerived(context, assets);
  const rows = await sideBySide(assets, ({ assetId }) =>
    checkAsset(context, assetId, kindsOf.get(assetId) ?? [], derived),
  );
  return rows.flat();
}

async function checkAsset(
  context: CheckContext,
  assetId: string,
  kindIds: readonly number[],
  derived: Derived,
): Promise<readonly CheckRow[]> {
  const answer = await context.chain.ask('payout', 'Accruals', { asset_id: assetId });
  if (answer.kind === 'unserved') return [];
  const accruals = answer.kind === 'answer' ? list(answer.json, 'accruals') : [];
  const rows: CheckRow[] = [];
  for (const kindId of new Set([...kindIds, ...accruals.map((each) => Number(text(each, 'kind_id')))])) {
    const totals = await context.chain.ask('rights', 'Totals', { asset_id: assetId, kind_id: kindId });
    if (totals.kind === 'unserved') continue;
    const ofKind = accruals.filter((each) => Number(text(each, 'kind_id')) === kindId);
    const chain = chainSide(totals.kind === 'answer' ? totals.json : {}, ofKind);
    const subject = { check: 'kind', assetId, kindId, subject: '' } as const;
    rows.push(evaluatedRow(context, subject, chain, derivedSide(derived, assetId, kindId)));
  }
  return rows;
}

function chainSide(totals: QueryJson, accruals: readonly QueryJson[]): ReconciledKind {
  return {
    supply: integer(totals, 'supply'),
    positions: integer(totals, 'positions'),
    encumbered: integer(totals, 'encumbered'),
    accruals: byDenom(
      accruals.map((each) => ({
        denom: text(each, 'denom'),
        index: integer(each, 'index'),
        carry_scaled: integer(each, 'carry_scaled'),
        total_distributed: integer(each, 'total_distributed'),
        total_paid: integer(each, 'total_paid'),
        module_held: integer(each, 'module_held'),
      })),
    ),
  };
}

function byDenom(accruals: readonly ReconciledAccrual[]): readonly ReconciledAccrual[] {
  return [...accruals].sort((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** The indexer's side, by asset and kind. */
interface Derived {
  readonly supplies: ReadonlyMap<string, bigint>;
  readonly held: ReadonlyMap<string, { readonly units: bigint; readonly encumbered: bigint }>;
  readonly accruals: ReadonlyMap<string, readonly ReconciledAccrual[]>;
}

function keyOf(assetId: string, kindId: number): string {
  return `${assetId}/${kindId}`;
}

function derivedSide({ supplies, held, accruals }: Derived, assetId: string, kindId: number): ReconciledKind {
  const key = keyOf(assetId, kindId);
  const { units = 0n, encumbered = 0n } = held.get(key) ?? {};
  return {
    supply: String(supplies.get(key) ?? 0n),
    positions: String(units),
    encumbered: String(encumbered),
    accruals: byDenom(accruals.get(key) ?? []),
  };
}

/** Positions are added up here, so that a wrong counter shows. */
async function readDerived({ state }: CheckContext, assets: readonly CheckedAsset[]): Promise<Derived> {
  const where = `asset_id IN (${assets.map(({ assetId }) => quote(assetId)).join(', ')})`;
  const supplies = await state.latest(
    KIND_TOTALS,
    ['asset_id', 'kind_id', 'supply'],
    (row) => [keyOf(row.asset_id, row.kind_id), row.supply] as const,
    where,
  );
  const held = await state.select(
    'asset_id, kind_id, sum(units), sum(encumbered)',
    { table: POSITIONS, columns: 'asset_id, kind_id, units, encumbered', where },
    'GROUP BY asset_id, kind_id',
    (row) => [keyOf(row.string(), row.u32()), { units: row.i256(), encumbered: row.i256() }] as const,
  );
  const accruals = new Map<string, ReconciledAccrual[]>();
  await state.latest(
    ACCRUALS,
    ['asset_id', 'kind_id', 'denom', 'income_index', 'carry_scaled', 'total_distributed', 'total_paid'],
    (row) => {
      const key = keyOf(row.asset_id, row.kind_id);
      const accrual = {
        denom: row.denom,
        index: row.income_index,
        carry_scaled: row.carry_scaled,
        total_distributed: String(row.total_distributed),
        total_paid: String(row.total_paid),
        module_held: String(row.total_distributed - row.total_paid),
      };
      accruals.set(key, [...(accruals.get(key) ?? []), accrual]);
    },
    where,
  );
  return { supplies: new Map(supplies), held: new Map(held), accruals };
}
