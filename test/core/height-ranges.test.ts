import { includesHeight, parseHeightRanges } from 'strata-kit/height-ranges';
import { expect, it } from 'vitest';

it('heights and ranges are read, and anything else is refused', () => {
  const ranges = parseHeightRanges(['7', '20-22']) ?? [];
  expect([6, 7, 8, 19, 20, 22, 23].filter((height) => includesHeight(ranges, height))).toEqual([7, 20, 22]);
  expect(includesHeight(parseHeightRanges(['all']) ?? [], 9_007_199_254_740_991)).toBe(true);
  for (const wrong of ['', '0', '5-4', '5-', '-5', 'ALL', '1.5', '1e3']) {
    expect(parseHeightRanges([wrong]), wrong).toBeUndefined();
  }
  expect(parseHeightRanges(['all', '5'])).toBeUndefined();
});
