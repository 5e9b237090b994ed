import type { JsonObject } from 'strata-kit/proto-json';
import { collection } from '../../state/state.ts';

export const DIRECTIONS = ['DIRECTION_NATIVE_OUT', 'DIRECTION_SYNTHETIC_IN', 'DIRECTION_RIGHT_OUT'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const ROUTE_STATUSES = ['ROUTE_STATUS_ACTIVE', 'ROUTE_STATUS_PAUSED'] as const;
export type RouteStatus = (typeof ROUTE_STATUSES)[number];

/** One way of a route: what has passed in all, and in which window how much of it. */
export interface Flow {
  readonly total: bigint;
  readonly limit: bigint;
  readonly used: bigint;
  /** Number of the window that `used` is of. */
  readonly window: bigint;
}

export interface Route {
  readonly routeId: string;
  readonly remoteDomain: number;
  /** 0x bytes32 of the remote router. */
  readonly remoteContract: string;
  readonly direction: Direction;
  /** Of coin routes, else empty. */
  readonly localDenom: string;
  readonly status: RouteStatus;
  /** 0: no cap. */
  readonly windowSeconds: bigint;
  readonly warpTokenId: string;
  readonly display: string;
  readonly exponent: number;
  /** Of RIGHT_OUT, else empty. */
  readonly assetId: string;
  /** Of RIGHT_OUT of one kind, else null. */
  readonly kindId: number | null;
  /** RIGHT_OUT of one unit of every bundle kind. */
  readonly bundle: boolean;
  /** Of NATIVE_OUT and RIGHT_OUT, else empty. */
  readonly escrowAddress: string;
  readonly outbound: Flow;
  readonly inbound: Flow;
}

/** By route id, whose order is that of the sweeps. */
export const routes = collection<Route>('bridge/routes');
/** By denom, the id of its SYNTHETIC_IN route. */
export const syntheticRoutes = collection<string>('bridge/synthetic-routes');
/** Number of the next message out, under the empty key. */
export const nextMessage = collection<bigint>('bridge/next-message');
/** By message id: what has come in. */
export const delivered = collection<true>('bridge/delivered');

/** The fields of EventRouteCreated. */
export function configurationJson(route: Route): JsonObject {
  return {
    route_id: route.routeId,
    remote_domain: route.remoteDomain,
    remote_contract: route.remoteContract,
    direction: route.direction,
    local_denom: route.localDenom,
    status: route.status,
    window_seconds: String(route.windowSeconds),
    outbound_limit: String(route.outbound.limit),
    inbound_limit: String(route.inbound.limit),
    warp_token_id: route.warpTokenId,
    display: route.display,
    exponent: route.exponent,
    ...rightJson(route),
    escrow_address: route.escrowAddress,
  };
}

/** What the events of a transfer say of the route's right. */
export function rightJson({ assetId, kindId, bundle }: Route): JsonObject {
  return { asset_id: assetId, ...(kindId !== null && { kind_id: kindId }), bundle };
}

export function routeJson(route: Route): JsonObject {
  return {
    ...configurationJson(route),
    outbound: String(route.outbound.total),
    inbound: String(route.inbound.total),
    outbound_used: String(route.outbound.used),
    inbound_used: String(route.inbound.used),
    outbound_window: String(route.outbound.window),
    inbound_window: String(route.inbound.window),
  };
}
