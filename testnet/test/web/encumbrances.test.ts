import { describe, expect, it } from 'vitest';
import { lockedAtFirst, mayExercise, mayRelease } from '../../web/src/text/encumbrances.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const pledge = {
  status: 'active' as const,
  beneficiary: 'b',
  holder: 'h',
  holder_release_after: '2026-11-22T12:00:00Z',
  exercisable: true,
  expiry: '2026-11-22T13:00:00Z',
};

describe('who may release an encumbrance', () => {
  it('is its beneficiary and the releaser at once, its holder after the time agreed', () => {
    expect(mayRelease(pledge, 'r', noon)).toEqual([
      { role: 'beneficiary', address: 'b', from: undefined },
      { role: 'releaser', address: 'r', from: undefined },
      { role: 'holder', address: 'h', from: '2026-11-22T12:00:00Z' },
    ]);
    expect(mayRelease(pledge, 'r', noon + 1).at(-1)).toEqual({
      role: 'holder',
      address: 'h',
      from: undefined,
    });
  });

  it('is nobody where nobody has the right to, or it is over', () => {
    expect(mayRelease({ ...pledge, beneficiary: '', holder_release_after: null }, '', noon)).toEqual([]);
    expect(mayRelease({ ...pledge, status: 'released' }, 'r', noon)).toEqual([]);
  });
});

describe('who may take the units', () => {
  it('is the beneficiary, where agreed and before the expiry', () => {
    const oneOClock = Date.parse('2026-11-22T13:00:00Z');
    expect(mayExercise(pledge, oneOClock - 1)).toBe(true);
    expect(mayExercise(pledge, oneOClock)).toBe(false);
    expect(mayExercise({ ...pledge, expiry: null }, oneOClock)).toBe(true);
    expect(mayExercise({ ...pledge, exercisable: false }, noon)).toBe(false);
    expect(mayExercise({ ...pledge, status: 'exercised' }, noon)).toBe(false);
  });
});

it('what was locked at first stands in the entry that created it', () => {
  const entry = { height: 1, block_time: '', tx_hash: null, actor: null, actor_role: null };
  expect(
    lockedAtFirst([
      { ...entry, event: 'created', units: { amount: '10' } },
      { ...entry, event: 'released', units: { amount: '4' } },
    ]),
  ).toBe('10');
  expect(lockedAtFirst([])).toBeUndefined();
});
