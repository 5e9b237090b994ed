import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/workload/random.ts';

describe('the seeded random source', () => {
  it('gives the numbers of sfc32 over the SHA-256 of its seed', () => {
    // computed by another implementation, in Python
    const { below } = createRandom('a seed');
    expect(Array.from({ length: 6 }, () => below(2 ** 32))).toEqual([
      1297848434, 2923579820, 4117718963, 2403494803, 2459743824, 500972866,
    ]);
  });

  it('draws by weight, never what weighs nothing', () => {
    const { weighted } = createRandom('weights');
    const drawn = Array.from({ length: 4_000 }, () => weighted([3, 0, 1]));
    expect(new Set(drawn)).toEqual(new Set([0, 2]));
    const share = drawn.filter((index) => index === 0).length / drawn.length;
    expect(share).toBeCloseTo(0.75, 1);
  });

  it('shuffles without loss, and refuses what has no answer', () => {
    const { shuffle, pick, below } = createRandom('order');
    expect(shuffle([1, 2, 3, 4, 5]).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(() => pick([])).toThrow('nothing to pick from');
    expect(() => below(0)).toThrow('no number below 0');
  });
});
