import { latestVersions } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { selection } from '../../core/reading.ts';
import { routeChecks } from '../reconciliation/checks-read.ts';
import { uint64Json } from '../uint64-json.ts';
import { objectText } from './json-text.ts';
import { outstandingOf } from './records.ts';
import { routeOfRow } from './rows.ts';
import { BRIDGE_INCOME, BRIDGE_ROUTES } from './tables.ts';
import { usedAt } from './windows.ts';

const ROUTE_ROWS = selection(BRIDGE_ROUTES);
const INCOME_ROWS = selection(BRIDGE_INCOME, ['route_id', 'denom', 'swept']);

/** BridgeRoute of api.md, as JSON text, by route id. `where`: a condition on route_id. */
export async function routeTexts(
  context: Pick<RouteContext, 'snapshot' | 'query'>,
  where: string,
): Promise<readonly string[]> {
  const { snapshot } = context;
  const [routeRows, incomeRows] = await Promise.all([
    context.query(latestVersions(snapshot, BRIDGE_ROUTES, ROUTE_ROWS.columns, where)),
    context.query(latestVersions(snapshot, BRIDGE_INCOME, INCOME_ROWS.columns, where)),
  ]);
  const routes = readAll(routeRows, ROUTE_ROWS.read).map(routeOfRow);
  const income = new Map<string, Record<string, string>>();
  for (const { route_id, denom, swept } of readAll(incomeRows, INCOME_ROWS.read)) {
    income.set(route_id, { ...income.get(route_id), [denom]: String(swept) });
  }
  const checks = await routeChecks(
    context,
    routes.map(({ routeId }) => routeId),
  );
  const headNs = snapshot.latestBlockTimeNs;
  return routes.map((route) => {
    const { windowSeconds, outbound, inbound } = route;
    return objectText({
      route_id: route.routeId,
      remote_domain: route.remoteDomain,
      remote_contract: route.remoteContract,
      direction: route.direction,
      local_denom: route.localDenom,
      status: route.status,
      window_seconds: uint64Json(windowSeconds),
      outbound_limit: String(outbound.limit),
      inbound_limit: String(inbound.limit),
      warp_token_id: route.warpTokenId,
      display: route.display,
      exponent: route.exponent,
      outbound: String(outbound.total),
      inbound: String(inbound.total),
      outstanding: String(outstandingOf(route)),
      outbound_used: String(usedAt(outbound, windowSeconds, headNs)),
      inbound_used: String(usedAt(inbound, windowSeconds, headNs)),
      created_height: route.createdHeight,
      updated_height: route.updatedHeight,
      transfers: route.transfers,
      asset_id: route.assetId,
      kind_id: route.kindId,
      bundle: route.bundle,
      escrow_address: route.direction === 'DIRECTION_RIGHT_OUT' ? route.escrowAddress : '',
      income_swept: income.get(route.routeId) ?? {},
      i8: checks.get(route.routeId) ?? null,
    });
  });
}
