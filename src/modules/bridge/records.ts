import type { RouteCreated } from './events.ts';
import { windowAt } from './windows.ts';

/** One way of a route: what may pass in a window, what has passed in all, and in which window how much of it. */
export interface Flow {
  readonly limit: bigint;
  readonly total: bigint;
  readonly used: bigint;
  /** Number of the window that `used` is of. */
  readonly window: bigint;
}

/** A route with what has passed over it. */
export interface Route extends Omit<RouteCreated, 'kindId' | 'outboundLimit' | 'inboundLimit'> {
  /** 0 where none is set. */
  readonly kindId: number;
  readonly outbound: Flow;
  readonly inbound: Flow;
  /** Out and in. */
  readonly transfers: number;
  readonly createdHeight: number;
}

export function routeOf(event: RouteCreated, height: number, timeNs: bigint): Route {
  const { kindId = 0, outboundLimit, inboundLimit, ...rest } = event;
  const window = windowAt(event.windowSeconds, timeNs);
  return {
    ...rest,
    kindId,
    outbound: { limit: outboundLimit, total: 0n, used: 0n, window },
    inbound: { limit: inboundLimit, total: 0n, used: 0n, window },
    transfers: 0,
    createdHeight: height,
  };
}

/** What the route should hold: escrowed coins or units, or the supply of what it made. */
export function outstandingOf({
  direction,
  outbound,
  inbound,
}: Pick<Route, 'direction' | 'outbound' | 'inbound'>): bigint {
  return direction === 'DIRECTION_SYNTHETIC_IN'
    ? inbound.total - outbound.total
    : outbound.total - inbound.total;
}
