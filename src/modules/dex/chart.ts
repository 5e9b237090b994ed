/** The times of a price chart and the values at them (modules.md rule 15). */

const MINUTE_NS = 60_000_000_000n;
const SLOT_NS = 10_000_000_000n;
const HOUR_NS = 60n * MINUTE_NS;
export const DAY_NS = 24n * HOUR_NS;

/** As /v1/prices takes them: the step and how many before the head; of `all` both follow from the first Sync. */
const FIXED_RANGES: ReadonlyMap<string, Grid> = new Map([
  ['1d', { stepNs: 15n * MINUTE_NS, steps: 96n }],
  ['1w', { stepNs: HOUR_NS, steps: 168n }],
  ['1m', { stepNs: 6n * HOUR_NS, steps: 120n }],
]);
const WHOLE_RANGE = 'all';
const WHOLE_STEPS = 199n;

export interface Grid {
  readonly stepNs: bigint;
  /** t_k = head − k · step, k from 0 up to this. */
  readonly steps: bigint;
}

/** A pair's reserves at a time, both above 0. */
export interface Sync {
  readonly timeNs: bigint;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
}

export function isRange(text: string): boolean {
  return text === WHOLE_RANGE || FIXED_RANGES.has(text);
}

/** Undefined for `all`. */
export function fixedGrid(range: string): Grid | undefined {
  return FIXED_RANGES.get(range);
}

/** From the first Sync on in at most 200 points: step = max(1 ns, ceil((head − first) / 199)). */
export function wholeGrid(headNs: bigint, firstNs: bigint): Grid {
  const length = headNs - firstNs;
  const ceiled = (length + WHOLE_STEPS - 1n) / WHOLE_STEPS;
  const stepNs = ceiled > 1n ? ceiled : 1n;
  return { stepNs, steps: length / stepNs };
}

/** Oldest first, the last at the head. */
export function gridTimes({ stepNs, steps }: Grid, headNs: bigint): readonly bigint[] {
  return Array.from({ length: Number(steps) + 1 }, (_, i) => headNs - (steps - BigInt(i)) * stepNs);
}

/** The value at each time: that of the last Sync at or before it; times before the first one are left out. */
export function valuesAt(
  times: readonly bigint[],
  syncs: readonly Sync[],
): readonly { readonly timeNs: bigint; readonly sync: Sync }[] {
  const ordered = syncs.toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0));
  let next = 0;
  return times.flatMap((timeNs) => {
    while ((ordered[next]?.timeNs ?? timeNs + 1n) <= timeNs) next++;
    const sync = ordered[next - 1];
    return sync === undefined ? [] : [{ timeNs, sync }];
  });
}

/** Of the rows of dex_closes, in seconds, each a multiple of the one before; the narrowest is the slot of a Sync. */
export const SPANS = [10, 60, 600, 3_600, 21_600, 86_400] as const;
const WIDEST = 86_400;

export function slotOf(timeNs: bigint): bigint {
  return timeNs / SLOT_NS;
}

/**
 * Where the last Sync at or before any of these times stands, unless it is the pair's last: among the Syncs of the time's
 * own slot, or the closes of narrower spans before it within the next wider one, or of the widest before it.
 */
export function placesOf(times: readonly bigint[]): {
  readonly slots: readonly number[];
  readonly closes: readonly { readonly span: number; readonly buckets: readonly number[] }[];
  /** Days before this one. */
  readonly beforeDay: number;
} {
  const seconds = times.map((timeNs) => Number(timeNs / 1_000_000_000n));
  const closes = SPANS.slice(0, -1).map((span, level) => {
    const buckets = new Set<number>();
    const wider = SPANS[level + 1] ?? WIDEST;
    for (const second of seconds) {
      const end = Math.floor(second / span);
      for (let bucket = Math.floor(second / wider) * (wider / span); bucket < end; bucket++)
        buckets.add(bucket);
    }
    return { span, buckets: [...buckets] };
  });
  return {
    slots: [...new Set(times.map((timeNs) => Number(slotOf(timeNs))))],
    closes,
    beforeDay: Math.floor(Math.max(...seconds) / WIDEST),
  };
}
