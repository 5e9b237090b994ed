/**
 * An amount as its column holds it. What a chain tells stays within 2^255, but sums of lies need not: cut off alike in
 * memory and in the store, they are the same before and after a restart.
 */
export function int256(value: bigint): bigint {
  return BigInt.asIntN(256, value);
}
