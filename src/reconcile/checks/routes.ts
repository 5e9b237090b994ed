import { columnNames } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
import { BRIDGE_ROUTES } from '../../modules/bridge/tables.ts';
import { integer, object } from '../../modules/export-json.ts';
import { type CheckRow, NO_KIND } from '../../modules/reconciliation/checks.ts';
import { quote } from '../../store/sql.ts';
import type { QueryAnswer } from '../chain-queries.ts';
import { sideBySide } from '../side-by-side.ts';
import type { CheckContext } from './context.ts';

interface Route {
  readonly routeId: string;
  readonly direction: string;
  readonly localDenom: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly isBundle: boolean;
  readonly escrow: string;
  readonly outstanding: bigint;
}

function readRoute(row: RowOf<typeof BRIDGE_ROUTES>): Route {
  return {
    routeId: row.route_id,
    direction: row.direction,
    localDenom: row.local_denom,
    assetId: row.asset_id,
    kindId: row.kind_id,
    isBundle: row.bundle,
    escrow: row.escrow_address,
    outstanding: outstandingOf(row.direction, row.outbound, row.inbound),
  };
}

function outstandingOf(direction: string, outbound: bigint, inbound: bigint): bigint {
  return direction === 'DIRECTION_SYNTHETIC_IN' ? inbound - outbound : outbound - inbound;
}

/** What bridge routes hold on the chain against their outstanding (modules.md section 5, I8Check). */
export async function checkRoutes(
  context: CheckContext,
  assetId: string | undefined,
): Promise<readonly CheckRow[]> {
  const where = assetId === undefined ? '1' : `asset_id = ${quote(assetId)}`;
  const routes = await context.state.latest(BRIDGE_ROUTES, columnNames(BRIDGE_ROUTES), readRoute, where);
  return sideBySide(routes, (route) => checkRoute(context, route));
}

async function checkRoute(context: CheckContext, route: Route): Promise<CheckRow> {
  const { chain, state } = context;
  const { routeId, assetId, outstanding } = route;
  const [actual, counters, witness] = await Promise.all([
    chain.ask('bridge', 'Actual', { route_id: routeId }),
    chain.ask('bridge', 'Route', { route_id: routeId }),
    askWitness(context, route),
  ]);
  const row = {
    check: 'route',
    assetId,
    kindId: NO_KIND,
    subject: routeId,
    height: state.height,
    indexer: { actual: String(outstanding) },
  } as const;
  if (actual.kind === 'unserved' || counters.kind === 'unserved') {
    return { ...row, evaluated: false, agree: true, chain: { actual: '', ok: false } };
  }
  if (actual.kind === 'absent' || counters.kind === 'absent') {
    return { ...row, evaluated: true, agree: false, chain: { actual: '', ok: false } };
  }
  const told = [integer(actual.json, 'actual'), ...witness];
  // of two answers that differ, the one that is not the indexer's is what there is to look at
  const shown = told.find((each) => each !== String(outstanding)) ?? String(outstanding);
  const ofRoute = object(counters.json, 'route');
  const counted = outstandingOf(
    route.direction,
    BigInt(integer(ofRoute, 'outbound')),
    BigInt(integer(ofRoute, 'inbound')),
  );
  return {
    ...row,
    evaluated: true,
    agree: shown === String(outstanding),
    chain: { actual: shown, ok: told.every((each) => each === String(counted)) },
  };
}

/** What bank or rights say of the same, where they can be asked in one query. */
async function askWitness({ chain }: CheckContext, route: Route): Promise<readonly string[]> {
  const { direction, localDenom, escrow, assetId, kindId } = route;
  if (direction === 'DIRECTION_NATIVE_OUT') {
    const answer = await chain.askBank('Balance', { address: escrow, denom: localDenom });
    return amountOf(answer, 'balance', 'amount');
  }
  if (direction === 'DIRECTION_SYNTHETIC_IN') {
    const answer = await chain.askBank('SupplyOf', { denom: localDenom });
    return amountOf(answer, 'amount', 'amount');
  }
  if (route.isBundle) return [];
  const fields = { asset_id: assetId, kind_id: kindId, holder: escrow };
  return amountOf(await chain.ask('rights', 'Position', fields), 'position', 'units');
}

function amountOf(answer: QueryAnswer, record: string, field: string): readonly string[] {
  return answer.kind === 'answer' ? [integer(object(answer.json, record), field)] : [];
}
