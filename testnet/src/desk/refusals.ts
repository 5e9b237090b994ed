import type { Logger } from 'pino';
import { createThrottledWarning } from 'strata-kit/throttled-warning';

/** Why the desk does not make a trade: the label of a metric, and a sentence for the person who asks. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly text: string;
}

export const REFUSAL_REASONS = [
  'paused',
  'inactive_asset',
  'no_pool',
  'shallow_pool',
  'unsteady_price',
  'pool_share',
  'trade_size',
  'price',
  'not_sold',
  'policy',
  'inventory',
  'exposure',
  'hourly_value',
  'open_proposals',
  'per_block',
  'form',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** How a trade reaches the desk: a request for a quote, or a settlement that somebody proposed to it. */
export type Door = 'request' | 'proposal';

export interface Refusals {
  note(door: Door, refusal: Refusal, about: object): void;
}

/** Counts every refusal. Logs each reason at most every 10 s, with how many lines were left out. */
export function createRefusals(
  log: Pick<Logger, 'warn'>,
  onRefusal: (door: Door, reason: RefusalReason) => void,
): Refusals {
  const warnings = new Map(
    REFUSAL_REASONS.map((reason) => [reason, createThrottledWarning(log, 'the desk refuses a trade')]),
  );
  return {
    note(door, { reason, text }, about) {
      onRefusal(door, reason);
      warnings.get(reason)?.(text, { ...about, door, reason });
    },
  };
}
