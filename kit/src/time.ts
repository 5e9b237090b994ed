/** Block times keep their nanoseconds: an integer of nanoseconds since 1970 (bigint), or RFC 3339 text as Go prints it. */

const NS_PER_SECOND = 1_000_000_000n;
const NS_PER_DAY = 86_400n * NS_PER_SECOND;

/** Undefined unless `text` is RFC 3339 with 0 to 9 digits of fraction, in UTC or with an offset. */
export function parseTimeNs(text: string): bigint | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (match === null) return undefined;
  const ms = Date.parse(`${match[1]}${match[3]}`);
  if (Number.isNaN(ms)) return undefined;
  return BigInt(ms) * 1_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'));
}

/** RFC 3339 UTC as Go's RFC3339Nano: the fraction without trailing zeros, none when it is zero. */
export function formatTimeNs(timeNs: bigint): string {
  let seconds = timeNs / NS_PER_SECOND;
  let fraction = timeNs % NS_PER_SECOND;
  if (fraction < 0n) {
    fraction += NS_PER_SECOND;
    seconds -= 1n;
  }
  const base = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  if (fraction === 0n) return `${base}Z`;
  return `${base}.${fraction.toString().padStart(9, '0').replace(/0+$/, '')}Z`;
}

/** YYYY-MM-DD of the UTC day that holds the instant. */
export function utcDay(timeNs: bigint): string {
  return formatTimeNs(timeNs).slice(0, 10);
}

/** The `count` UTC days that end on the day of the instant, YYYY-MM-DD, oldest first. */
export function utcDaysUntil(timeNs: bigint, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => utcDay(timeNs - BigInt(count - 1 - i) * NS_PER_DAY));
}
