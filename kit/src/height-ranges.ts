/** Heights from the first to the second, both included, in no order. */
export type HeightRanges = readonly (readonly [fromHeight: number, toHeight: number])[];

export const ALL_HEIGHTS: HeightRanges = [[1, Number.MAX_SAFE_INTEGER]];

/** `all`, or heights and ranges such as `120344` and `5000-5010`; undefined for anything else. */
export function parseHeightRanges(texts: readonly string[]): HeightRanges | undefined {
  if (texts.length === 1 && texts[0] === 'all') return ALL_HEIGHTS;
  const ranges: (readonly [number, number])[] = [];
  for (const text of texts) {
    const [, first = '', last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === '' || from < 1 || to < from) return undefined;
    ranges.push([from, to]);
  }
  return ranges;
}

export function includesHeight(ranges: HeightRanges, height: number): boolean {
  return ranges.some(([from, to]) => from <= height && height <= to);
}
