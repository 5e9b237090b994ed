import type { EventSpec } from '../../derive/derivation.ts';
import type { Compared, Fields } from '../../derive/fields.ts';

/** What a RIGHT_OUT route moves; empty, undefined and false of coin routes. */
export interface RouteRight {
  readonly assetId: string;
  readonly kindId: number | undefined;
  /** One unit of every bundle kind. */
  readonly bundle: boolean;
}

export interface RouteCreated extends RouteRight {
  readonly routeId: string;
  readonly remoteDomain: number;
  /** 0x bytes32. */
  readonly remoteContract: string;
  /** As the proto prints it: `DIRECTION_NATIVE_OUT`. */
  readonly direction: string;
  readonly localDenom: string;
  readonly status: string;
  /** Below 2^64; 0: no cap. */
  readonly windowSeconds: bigint;
  readonly outboundLimit: bigint;
  readonly inboundLimit: bigint;
  readonly warpTokenId: string;
  readonly display: string;
  readonly exponent: number;
  /** Of NATIVE_OUT and RIGHT_OUT. */
  readonly escrowAddress: string;
}

export const ROUTE_CREATED: EventSpec<RouteCreated> = {
  type: 'bridge.v1.EventRouteCreated',
  read: (fields) => ({
    routeId: fields.text('route_id'),
    remoteDomain: fields.u32('remote_domain'),
    remoteContract: fields.text('remote_contract'),
    direction: fields.text('direction'),
    localDenom: fields.text('local_denom'),
    status: fields.text('status'),
    windowSeconds: fields.u64('window_seconds'),
    outboundLimit: fields.amount('outbound_limit'),
    inboundLimit: fields.amount('inbound_limit'),
    warpTokenId: fields.text('warp_token_id'),
    display: fields.text('display'),
    exponent: fields.u32('exponent'),
    ...readRight(fields),
    escrowAddress: fields.text('escrow_address'),
  }),
  subjects: ({ assetId, escrowAddress }) => ({ accounts: set(escrowAddress), assets: set(assetId) }),
};

export interface RouteUpdated {
  readonly routeId: string;
  readonly assetId: string;
  readonly status: string;
  readonly outboundLimit: bigint;
  readonly inboundLimit: bigint;
  readonly windowSeconds: bigint;
}

export const ROUTE_UPDATED: EventSpec<RouteUpdated> = {
  type: 'bridge.v1.EventRouteUpdated',
  read: (fields) => ({
    routeId: fields.text('route_id'),
    assetId: fields.text('asset_id'),
    status: fields.text('status'),
    outboundLimit: fields.amount('outbound_limit'),
    inboundLimit: fields.amount('inbound_limit'),
    windowSeconds: fields.u64('window_seconds'),
  }),
  subjects: ({ assetId }) => ({ accounts: [], assets: set(assetId) }),
};

export interface Transfer extends RouteRight {
  readonly routeId: string;
  /** 0x bytes32 of an in, else bech32. */
  readonly sender: string;
  /** 0x bytes32 of an out, else bech32. */
  readonly recipient: string;
  readonly amount: bigint;
  readonly messageId: string;
}

export interface TransferOut extends Transfer {
  readonly outboundAfter: Compared;
  readonly outboundUsedAfter: Compared;
}

export const TRANSFER_OUT: EventSpec<TransferOut> = {
  type: 'bridge.v1.EventTransferOut',
  read: (fields) => ({
    ...readTransfer(fields),
    outboundAfter: fields.compared('outbound_after'),
    outboundUsedAfter: fields.compared('outbound_used_after'),
  }),
  // the recipient is an account of the other chain
  subjects: ({ sender, assetId }) => ({ accounts: [sender], assets: set(assetId) }),
};

export interface TransferIn extends Transfer {
  readonly inboundAfter: Compared;
  readonly inboundUsedAfter: Compared;
}

export const TRANSFER_IN: EventSpec<TransferIn> = {
  type: 'bridge.v1.EventTransferIn',
  read: (fields) => ({
    ...readTransfer(fields),
    inboundAfter: fields.compared('inbound_after'),
    inboundUsedAfter: fields.compared('inbound_used_after'),
  }),
  subjects: ({ recipient, assetId }) => ({ accounts: [recipient], assets: set(assetId) }),
};

/** Income of an escrow's units, paid to the asset's issuer. */
export interface EscrowIncomeSwept {
  readonly routeId: string;
  readonly escrowAddress: string;
  readonly recipient: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  readonly amount: Compared;
}

export const ESCROW_INCOME_SWEPT: EventSpec<EscrowIncomeSwept> = {
  type: 'bridge.v1.EventEscrowIncomeSwept',
  read: (fields) => ({
    routeId: fields.text('route_id'),
    escrowAddress: fields.text('escrow_address'),
    recipient: fields.text('recipient'),
    assetId: fields.text('asset_id'),
    kindId: fields.u32('kind_id'),
    denom: fields.text('denom'),
    amount: fields.compared('amount'),
  }),
  subjects: ({ escrowAddress, recipient, assetId }) => ({
    accounts: [escrowAddress, recipient],
    assets: [assetId],
  }),
};

function readRight(fields: Fields): RouteRight {
  return {
    assetId: fields.text('asset_id'),
    kindId: fields.optionalU32('kind_id'),
    bundle: fields.flag('bundle'),
  };
}

function readTransfer(fields: Fields): Transfer {
  return {
    routeId: fields.text('route_id'),
    sender: fields.text('sender'),
    recipient: fields.text('recipient'),
    amount: fields.amount('amount'),
    messageId: fields.text('message_id'),
    ...readRight(fields),
  };
}

function set(text: string): readonly string[] {
  return text === '' ? [] : [text];
}
