/** Prices and amounts (api.md, trade desk; answers.md, "Launchpad and desk"). Whole numbers throughout. */

/** From the view of who asks the desk. */
export type Side = 'buy' | 'sell';

/** In place of a kind's id. */
export const WHOLE = -1;

/** Percent of the whole share that a kind of a class is worth; a class that is not here is not quoted alone. */
export const SHARE_OF_CLASS: Readonly<Record<string, bigint>> = {
  ECONOMIC: 60n,
  INCOME: 30n,
  VOTE: 10n,
};
export const WHOLE_SHARE = 100n;

/** Percent of the mid price, a hundred less or more the spread. */
const BID = 98n;
const ASK = 102n;
const SCALE = 10_000n;

/** Stable base units (6 decimals): 5,000 coins a trade. */
export const MAX_TRADE = 5_000_000_000n;

/** In stable base units a whole unit; null: not quoted. */
export interface Prices {
  readonly bid: bigint | null;
  readonly ask: bigint | null;
}

/** floor(mid · share% · 98 / 10^4) and ceil(mid · share% · 102 / 10^4); a bid of 0 is none. */
export function pricesOf(mid: bigint, share: bigint): Prices {
  const bid = (mid * share * BID) / SCALE;
  return { bid: bid === 0n ? null : bid, ask: ceilDiv(mid * share * ASK, SCALE) };
}

/** What units cost: rounded up for who buys, down for who sells. */
export function amountOf(side: Side, price: bigint, units: bigint, decimals: number): bigint {
  const one = 10n ** BigInt(decimals);
  return side === 'buy' ? ceilDiv(price * units, one) : (price * units) / one;
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
