import type { DeskFacts } from './quotes.ts';

/** Why the desk has no price for an asset, by its own word where it says one. */
export function noQuoteText({ instruments }: Pick<DeskFacts, 'instruments'>, symbol: string): string {
  const closed = instruments.find((instrument) => instrument.symbol === symbol)?.closed;
  return REASONS[closed?.reason ?? ''] ?? LOW;
}

const LOW =
  'The desk does not quote this side now. It runs low on what it would give, or has given as much of it today as it may.';

/** By the reason that `GET /api/desk` tells. */
const REASONS: Readonly<Record<string, string>> = {
  paused: 'The operator has paused the desk. It quotes nothing until the pause ends.',
  inactive_asset: 'The asset is being liquidated, so the desk does not trade it.',
  no_pool: 'The asset has no pool, so there is no price yet.',
  shallow_pool: "The asset's pool holds too little for a safe price.",
  unsteady_price:
    "The pool's price has moved too far from its mean of the last 30 minutes. The desk quotes again when it is steady.",
  hourly_value: 'The desk has traded as much of this asset within an hour as it may. Try again later.',
  unavailable: 'The desk cannot read the price now. Try again in a moment.',
};
