import { int256 } from '../../derive/int256.ts';
import type { Flow } from './records.ts';

/**
 * Limits count in windows [k · window_seconds, (k+1) · window_seconds) of unix block time (modules.md rule 8).
 * window_seconds 0 is no cap, and nothing counts as used.
 */

const NS_PER_SECOND = 1_000_000_000n;

/** The number k of the window that holds the time; 0 without windows. */
export function windowAt(windowSeconds: bigint, timeNs: bigint): bigint {
  return windowSeconds === 0n ? 0n : timeNs / (windowSeconds * NS_PER_SECOND);
}

/** What is used as of a time: nothing in a window that has just begun. */
export function usedAt(
  { used, window }: Pick<Flow, 'used' | 'window'>,
  windowSeconds: bigint,
  timeNs: bigint,
): bigint {
  return windowAt(windowSeconds, timeNs) === window ? used : 0n;
}

/** The flow with an amount that has passed. */
export function counted(flow: Flow, windowSeconds: bigint, timeNs: bigint, amount: bigint): Flow {
  const used = windowSeconds === 0n ? 0n : int256(usedAt(flow, windowSeconds, timeNs) + amount);
  return { ...flow, total: int256(flow.total + amount), used, window: windowAt(windowSeconds, timeNs) };
}

/** With nothing used, as another length of the windows has it. */
export function restarted(flow: Flow, windowSeconds: bigint, timeNs: bigint): Flow {
  return { ...flow, used: 0n, window: windowAt(windowSeconds, timeNs) };
}
