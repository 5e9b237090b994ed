/** From the view of whoever asks. */
export type Side = 'buy' | 'sell';

/** What units cost at a price, rounded as the desk rounds: up for who buys, down for who sells. */
export function costOf(side: Side, price: string, units: bigint, decimals: number): bigint {
  const one = 10n ** BigInt(decimals);
  const product = BigInt(price) * units;
  return side === 'buy' ? (product + one - 1n) / one : product / one;
}
