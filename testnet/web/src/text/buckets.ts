/** An amount at a time. */
export interface TimedAmount {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Base units, a decimal text. */
  readonly amount: string;
}

/** What came within one span. */
export interface Bucket {
  /** Where the span begins: RFC 3339, UTC, whole seconds. */
  readonly at: string;
  /** The sum of its amounts; undefined where there was none. */
  readonly value: string | undefined;
}

export interface Buckets {
  /** `10 minutes` */
  readonly span: string;
  /** Oldest first, without a gap. */
  readonly buckets: readonly Bucket[];
}

const SPANS: readonly (readonly [seconds: number, words: string])[] = [
  [60, 'minute'],
  [600, '10 minutes'],
  [3_600, 'hour'],
  [6 * 3_600, '6 hours'],
  [86_400, 'day'],
  [7 * 86_400, '7 days'],
  [30 * 86_400, '30 days'],
  [365 * 86_400, '365 days'],
];

/**
 * Amounts summed by equal spans of UTC time, the shortest that make at most `most` of them: bars over time then stand as
 * far apart as what they show. Whatever its span, every amount is in exactly one sum.
 */
export function inBuckets(amounts: readonly TimedAmount[], most: number): Buckets {
  const seconds = amounts.map(({ at }) => Math.floor(Date.parse(at) / 1_000));
  const first = Math.min(...seconds);
  const last = Math.max(...seconds);
  const count = (span: number) => Math.floor(last / span) - Math.floor(first / span) + 1;
  const widest = SPANS.at(-1) ?? [60, ''];
  const [span, words] = SPANS.find(([length]) => count(length) <= most) ?? widest;
  if (amounts.length === 0) return { span: words, buckets: [] };
  const sums = new Map<number, bigint>();
  for (const [i, { amount }] of amounts.entries()) {
    const slot = Math.floor((seconds[i] ?? 0) / span);
    sums.set(slot, (sums.get(slot) ?? 0n) + BigInt(amount));
  }
  const start = Math.floor(first / span);
  const buckets = Array.from({ length: count(span) }, (_, i) => ({
    at: new Date((start + i) * span * 1_000).toISOString(),
    value: sums.get(start + i)?.toString(),
  }));
  return { span: words, buckets };
}
