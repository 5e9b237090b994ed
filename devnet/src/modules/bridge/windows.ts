import { AMOUNT_LIMIT } from '../../app/amounts.ts';
import { refuse } from './codes.ts';
import type { Flow, Route } from './records.ts';

/**
 * Limits count in fixed windows [k · window_seconds, (k+1) · window_seconds) of unix block time (modules.md, rule 8).
 * window_seconds 0 is no cap, and nothing is counted.
 */

const NS_PER_SECOND = 1_000_000_000n;

/** The number of the window that holds the time; 0 without windows. */
export function windowAt(windowSeconds: bigint, timeNs: bigint): bigint {
  return windowSeconds === 0n ? 0n : timeNs / (windowSeconds * NS_PER_SECOND);
}

/** The flow as of a time: nothing is used yet in a window that has just begun. */
export function flowAt(flow: Flow, windowSeconds: bigint, timeNs: bigint): Flow {
  const window = windowAt(windowSeconds, timeNs);
  return window === flow.window ? flow : { ...flow, used: 0n, window };
}

/** The route as of a time. */
export function routeAt(route: Route, timeNs: bigint): Route {
  const { windowSeconds } = route;
  return {
    ...route,
    outbound: flowAt(route.outbound, windowSeconds, timeNs),
    inbound: flowAt(route.inbound, windowSeconds, timeNs),
  };
}

/** With the amount counted. Errors: bridge/5 beyond the window's cap, bridge/2 when the total would reach 2^255. */
export function countIn(flow: Flow, windowSeconds: bigint, timeNs: bigint, amount: bigint): Flow {
  const current = flowAt(flow, windowSeconds, timeNs);
  const total = current.total + amount;
  if (total >= AMOUNT_LIMIT) throw refuse('invalid', 'amount: the total would reach 2^255');
  if (windowSeconds === 0n) return { ...current, total };
  const used = current.used + amount;
  if (used > current.limit)
    throw refuse('capExceeded', `cap exceeded: ${used} of ${current.limit} in window ${current.window}`);
  return { ...current, total, used };
}
