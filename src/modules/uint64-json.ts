const SAFE_END = 2n ** 53n;

/** A uint64 as answers have it: a number below 2^53, from there on a string of digits, which no parser rounds. */
export function uint64Json(value: bigint): number | string {
  return value < SAFE_END ? Number(value) : String(value);
}
