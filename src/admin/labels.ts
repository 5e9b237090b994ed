/** What is put in place of a label's value once there are too many. */
export const OTHER = 'other';

/**
 * Keeps a label's set of values small: the first `limit` that come, `other` for every further one. Each value is a
 * time series in the process and in Prometheus, for as long as either lives.
 */
export function boundedLabel(limit: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= limit) return OTHER;
    known.add(value);
    return value;
  };
}
