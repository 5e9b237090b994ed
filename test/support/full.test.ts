import { describe, expect, it } from 'vitest';
import { drawn } from './full.ts';

describe('cases that are drawn', () => {
  const cases = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('are so many, in their order, the same for a seed', () => {
    const some = drawn(cases, 3, '7');
    expect(some).toHaveLength(3);
    expect(some).toEqual(some.toSorted());
    expect(drawn(cases, 3, '7')).toEqual(some);
    expect(drawn(cases, 9, '7')).toEqual(cases);
  });

  it('are all of them over the seeds, and all without one', () => {
    const seen = new Set(Array.from({ length: 30 }, (_, seed) => drawn(cases, 2, String(seed))).flat());
    expect([...seen].sort()).toEqual(cases);
    expect(drawn(cases, 2, '')).toEqual(cases);
  });

  it.each(['x', '1.5', '-1'])('are refused by the seed %s', (seed) => {
    expect(() => drawn(cases, 2, seed)).toThrow('STRATA_TEST_SEED');
  });
});
