import { latestRows } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { groupRows } from '../../api/rows.ts';
import { quote } from '../../store/sql.ts';
import { positionsOf } from '../rights/positions-read.ts';
import { type AccrualVersion, accrualsOfAssets } from './accruals-read.ts';
import { pendingIncome } from './income.ts';
import { INCOME_ROUTES_BY_BENEFICIARY, SETTLED_INCOME_BY_ACCOUNT } from './tables.ts';

/** ClaimableEntry of api.md. */
export interface ClaimableEntryJson {
  readonly routed_from: string;
  readonly ref: string;
  readonly asset_id: string;
  readonly kind_id: number;
  readonly denom: string;
  readonly pending: string;
  readonly accrued: string;
  readonly total: string;
}

type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

interface OfKind {
  readonly assetId: string;
  readonly kindId: number;
}

/** A basis from which the account may claim. */
interface Basis extends OfKind {
  /** Empty for its own. */
  readonly ref: string;
  readonly routedFrom: string;
  readonly units: bigint;
}

interface Settled {
  readonly lastIndex: bigint;
  readonly accrued: bigint;
}

/**
 * What an account (canonical bech32) may claim: by asset and kind, its own income before that of routes in the order of
 * their pledges, by denom. Entries of total 0 are left out (modules.md rule 5).
 */
export async function claimableOf(context: Reading, account: string): Promise<ClaimableEntryJson[]> {
  const [positions, routes, settled] = await Promise.all([
    positionsOf(context, account),
    routesTo(context, account),
    settledOf(context, account),
  ]);
  const own = new Map<string, Basis>();
  // who has left may have something to claim still
  for (const { assetId, kindId, ref } of settled.values()) {
    if (ref === '') own.set(keyOf(assetId, kindId), ownBasis(assetId, kindId, 0n));
  }
  for (const { assetId, kindId, units, routed } of positions) {
    own.set(keyOf(assetId, kindId), ownBasis(assetId, kindId, units - routed));
  }
  const bases = [...own.values(), ...routes].sort(inOrder);
  const assetIds = [...new Set(bases.map(({ assetId }) => assetId))];
  const accruals = groupRows(await accrualsOfAssets(context, assetIds), ({ assetId, kindId }) =>
    keyOf(assetId, kindId),
  );
  return bases.flatMap((basis) =>
    (accruals.get(keyOf(basis.assetId, basis.kindId)) ?? []).flatMap((accrual) =>
      entriesOf(
        basis,
        accrual,
        settled.get(keyOf(basis.assetId, basis.kindId, basis.ref, accrual.denom)) ?? UNSETTLED,
      ),
    ),
  );
}

const UNSETTLED: Settled = { lastIndex: 0n, accrued: 0n };

function entriesOf(
  { assetId, kindId, ref, routedFrom, units }: Basis,
  { denom, index }: AccrualVersion,
  { lastIndex, accrued }: Settled,
): ClaimableEntryJson[] {
  const pending = pendingIncome(units, index, lastIndex);
  if (pending + accrued === 0n) return [];
  return [
    {
      routed_from: routedFrom,
      ref,
      asset_id: assetId,
      kind_id: kindId,
      denom,
      pending: String(pending),
      accrued: String(accrued),
      total: String(pending + accrued),
    },
  ];
}

/** Those that have ended too. */
async function routesTo(context: Reading, beneficiary: string): Promise<Basis[]> {
  const columns = ['asset_id', 'kind_id', 'ref', 'holder', 'units'] as const;
  const where = `beneficiary = ${quote(beneficiary)}`;
  const rows = await latestRows(context, INCOME_ROUTES_BY_BENEFICIARY, columns, where);
  return rows.map((row) => ({
    assetId: row.asset_id,
    kindId: row.kind_id,
    ref: row.ref,
    routedFrom: row.holder,
    units: row.units,
  }));
}

async function settledOf(
  context: Reading,
  account: string,
): Promise<ReadonlyMap<string, Settled & OfKind & { readonly ref: string }>> {
  const columns = ['asset_id', 'kind_id', 'ref', 'denom', 'last_index', 'accrued'] as const;
  const where = `account = ${quote(account)}`;
  const rows = await latestRows(context, SETTLED_INCOME_BY_ACCOUNT, columns, where);
  return new Map(
    rows.map(({ asset_id: assetId, kind_id: kindId, ref, denom, last_index: lastIndex, accrued }) => [
      keyOf(assetId, kindId, ref, denom),
      { assetId, kindId, ref, lastIndex: BigInt(lastIndex), accrued },
    ]),
  );
}

function ownBasis(assetId: string, kindId: number, units: bigint): Basis {
  return { assetId, kindId, ref: '', routedFrom: '', units };
}

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join(' ');
}

function inOrder(a: Basis, b: Basis): number {
  if (a.assetId !== b.assetId) return a.assetId < b.assetId ? -1 : 1;
  return a.kindId - b.kindId || a.ref.length - b.ref.length || (a.ref < b.ref ? -1 : 1);
}
