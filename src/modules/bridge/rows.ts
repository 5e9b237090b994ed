import type { TableBuilder } from '../../core/native.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import type { Route } from './records.ts';
import type { BRIDGE_ROUTES, BRIDGE_TRANSFERS, BRIDGE_TRANSFERS_BY_ACCOUNT } from './tables.ts';

/** Records as rows, and back. */

export function appendRoute(rows: TableBuilder<typeof BRIDGE_ROUTES>, route: Route, height: number): void {
  const { columns } = rows;
  const { outbound, inbound } = route;
  columns.route_id.text(route.routeId);
  columns.height.u64(height);
  columns.remote_domain.u32(route.remoteDomain);
  columns.remote_contract.text(route.remoteContract);
  columns.direction.text(route.direction);
  columns.local_denom.text(route.localDenom);
  columns.status.text(route.status);
  columns.window_seconds.u64big(route.windowSeconds);
  columns.outbound_limit.i256(outbound.limit);
  columns.inbound_limit.i256(inbound.limit);
  columns.warp_token_id.text(route.warpTokenId);
  columns.display.text(route.display);
  columns.exponent.u32(route.exponent);
  columns.asset_id.text(route.assetId);
  columns.kind_id.u32(route.kindId);
  columns.bundle.u8(route.bundle ? 1 : 0);
  columns.escrow_address.text(route.escrowAddress);
  columns.outbound.i256(outbound.total);
  columns.inbound.i256(inbound.total);
  columns.outbound_used.i256(outbound.used);
  columns.inbound_used.i256(inbound.used);
  columns.outbound_window.i64big(outbound.window);
  columns.inbound_window.i64big(inbound.window);
  columns.transfers.u64(route.transfers);
  columns.created_height.u64(route.createdHeight);
  rows.rows++;
}

export const ROUTE_COLUMNS = [
  'route_id',
  'height',
  'remote_domain',
  'remote_contract',
  'direction',
  'local_denom',
  'status',
  'window_seconds',
  'outbound_limit',
  'inbound_limit',
  'warp_token_id',
  'display',
  'exponent',
  'asset_id',
  'kind_id',
  'bundle',
  'escrow_address',
  'outbound',
  'inbound',
  'outbound_used',
  'inbound_used',
  'outbound_window',
  'inbound_window',
  'transfers',
  'created_height',
] as const satisfies readonly (typeof BRIDGE_ROUTES)['columns'][number][0][];

/** A route and the height of its last event. */
export function readRoute(row: RowReader): Route & { readonly updatedHeight: number } {
  const routeId = row.string();
  const updatedHeight = row.u64();
  const remoteDomain = row.u32();
  const [remoteContract, direction, localDenom, status] = texts(row);
  const windowSeconds = row.u64big();
  const [outboundLimit, inboundLimit] = [row.i256(), row.i256()];
  const [warpTokenId, display] = [row.string(), row.string()];
  const exponent = row.u32();
  const assetId = row.string();
  const kindId = row.u32();
  const bundle = row.bool();
  const escrowAddress = row.string();
  const [outbound, inbound] = [row.i256(), row.i256()];
  const [outboundUsed, inboundUsed] = [row.i256(), row.i256()];
  const [outboundWindow, inboundWindow] = [row.i64big(), row.i64big()];
  return {
    routeId,
    updatedHeight,
    remoteDomain,
    remoteContract,
    direction,
    localDenom,
    status,
    windowSeconds,
    warpTokenId,
    display,
    exponent,
    assetId,
    kindId,
    bundle,
    escrowAddress,
    outbound: { limit: outboundLimit, total: outbound, used: outboundUsed, window: outboundWindow },
    inbound: { limit: inboundLimit, total: inbound, used: inboundUsed, window: inboundWindow },
    transfers: row.u64(),
    createdHeight: row.u64(),
  };
}

function texts(row: RowReader): readonly [string, string, string, string] {
  return [row.string(), row.string(), row.string(), row.string()];
}

/** A transfer, or the attempt at one. */
export interface TransferRow {
  readonly height: number;
  /** −1 for a block-level event. */
  readonly txIndex: number;
  /** −1 of a rejected one. */
  readonly eventIndex: number;
  /** 32 bytes; zeros where there is none. */
  readonly txHash: Uint8Array;
  readonly routeId: string;
  readonly direction: 'out' | 'in';
  readonly status: 'in_flight' | 'completed' | 'rejected';
  readonly sender: string;
  readonly recipient: string;
  readonly amount: bigint;
  /** Empty of a rejected one. */
  readonly messageId: string;
  /** `bridge/<code>` of a rejected one, else empty. */
  readonly reason: string;
  readonly blockTimeNs: bigint;
  readonly assetId: string;
  readonly kindId: number;
  readonly bundle: boolean;
}

/** The builders of both tables of transfers. */
export interface TransferTables {
  readonly transfers: TableBuilder<typeof BRIDGE_TRANSFERS>;
  readonly byAccount: TableBuilder<typeof BRIDGE_TRANSFERS_BY_ACCOUNT>;
}

export function appendTransfer({ transfers, byAccount }: TransferTables, transfer: TransferRow): void {
  const { columns } = transfers;
  columns.height.u64(transfer.height);
  columns.tx_index.i32(transfer.txIndex);
  columns.event_index.i32(transfer.eventIndex);
  columns.tx_hash.fixed(transfer.txHash);
  columns.route_id.text(transfer.routeId);
  columns.direction.text(transfer.direction);
  columns.status.text(transfer.status);
  columns.sender.text(transfer.sender);
  columns.recipient.text(transfer.recipient);
  columns.amount.i256(transfer.amount);
  columns.message_id.text(transfer.messageId);
  columns.reason.text(transfer.reason);
  columns.block_time_ns.i64big(transfer.blockTimeNs);
  columns.asset_id.text(transfer.assetId);
  columns.kind_id.u32(transfer.kindId);
  columns.bundle.u8(transfer.bundle ? 1 : 0);
  transfers.rows++;
  for (const account of new Set([transfer.sender, transfer.recipient])) {
    appendSide(byAccount, account, transfer);
  }
}

function appendSide(
  rows: TransferTables['byAccount'],
  account: string,
  { height, txIndex, eventIndex, routeId, status, messageId }: TransferRow,
): void {
  const { columns } = rows;
  columns.account.text(account);
  columns.height.u64(height);
  columns.tx_index.i32(txIndex);
  columns.event_index.i32(eventIndex);
  columns.route_id.text(routeId);
  columns.status.text(status);
  columns.message_id.text(messageId);
  rows.rows++;
}

export const TRANSFER_COLUMNS =
  'height, tx_index, event_index, tx_hash, route_id, direction, status, sender, recipient, amount, message_id, ' +
  'reason, block_time_ns, asset_id, kind_id, bundle';

export function readTransfer(row: RowReader): TransferRow {
  return {
    height: row.u64(),
    txIndex: row.i32(),
    eventIndex: row.i32(),
    txHash: row.fixed(32),
    routeId: row.string(),
    direction: row.string() as TransferRow['direction'],
    status: row.string() as TransferRow['status'],
    sender: row.string(),
    recipient: row.string(),
    amount: row.i256(),
    messageId: row.string(),
    reason: row.string(),
    blockTimeNs: row.i64big(),
    assetId: row.string(),
    kindId: row.u32(),
    bundle: row.bool(),
  };
}
