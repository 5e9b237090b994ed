import type { TableBuilder } from '../../core/native.ts';
import type { RowOf } from '../../core/table.ts';
import type { Route } from './records.ts';
import type { BRIDGE_ROUTES, BRIDGE_TRANSFERS, BRIDGE_TRANSFERS_BY_ACCOUNT } from './tables.ts';

/** Records as rows, and back. */

export function appendRoute(rows: TableBuilder<typeof BRIDGE_ROUTES>, route: Route, height: number): void {
  const { outbound, inbound } = route;
  rows.append({
    route_id: route.routeId,
    height,
    remote_domain: route.remoteDomain,
    remote_contract: route.remoteContract,
    direction: route.direction,
    local_denom: route.localDenom,
    status: route.status,
    window_seconds: route.windowSeconds,
    outbound_limit: outbound.limit,
    inbound_limit: inbound.limit,
    warp_token_id: route.warpTokenId,
    display: route.display,
    exponent: route.exponent,
    asset_id: route.assetId,
    kind_id: route.kindId,
    bundle: route.bundle,
    escrow_address: route.escrowAddress,
    outbound: outbound.total,
    inbound: inbound.total,
    outbound_used: outbound.used,
    inbound_used: inbound.used,
    outbound_window: outbound.window,
    inbound_window: inbound.window,
    transfers: route.transfers,
    created_height: route.createdHeight,
  });
}

/** A route and the height of its last event. */
export function routeOfRow(row: RowOf<typeof BRIDGE_ROUTES>): Route & { readonly updatedHeight: number } {
  return {
    routeId: row.route_id,
    updatedHeight: row.height,
    remoteDomain: row.remote_domain,
    remoteContract: row.remote_contract,
    direction: row.direction,
    localDenom: row.local_denom,
    status: row.status,
    windowSeconds: row.window_seconds,
    warpTokenId: row.warp_token_id,
    display: row.display,
    exponent: row.exponent,
    assetId: row.asset_id,
    kindId: row.kind_id,
    bundle: row.bundle,
    escrowAddress: row.escrow_address,
    outbound: {
      limit: row.outbound_limit,
      total: row.outbound,
      used: row.outbound_used,
      window: row.outbound_window,
    },
    inbound: {
      limit: row.inbound_limit,
      total: row.inbound,
      used: row.inbound_used,
      window: row.inbound_window,
    },
    transfers: row.transfers,
    createdHeight: row.created_height,
  };
}

/**
 * A transfer, or the attempt at one. event_index is −1 of a rejected one, whose message_id is empty and whose reason is
 * `bridge/<code>`; tx_hash is zeros where there is none.
 */
export type TransferRow = RowOf<typeof BRIDGE_TRANSFERS> & {
  readonly direction: 'out' | 'in';
  readonly status: 'in_flight' | 'completed' | 'rejected';
};

/** The builders of both tables of transfers. */
export interface TransferTables {
  readonly transfers: TableBuilder<typeof BRIDGE_TRANSFERS>;
  readonly byAccount: TableBuilder<typeof BRIDGE_TRANSFERS_BY_ACCOUNT>;
}

export function appendTransfer({ transfers, byAccount }: TransferTables, transfer: TransferRow): void {
  transfers.append(transfer);
  for (const account of new Set([transfer.sender, transfer.recipient]))
    byAccount.append({ ...transfer, account });
}
