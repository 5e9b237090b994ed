import { describe, expect, it } from 'vitest';
import { createGuesses, type GuessReport } from '../../src/engine/guesses.ts';

/** Time that the test moves: waits end when they are let go. */
function stage() {
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const reports: GuessReport[] = [];
  const clock = { ms: 0 };
  const guesses = createGuesses((report) => reports.push(report), {
    nowMs: () => clock.ms,
    wait: (ms) => new Promise((resolve) => waits.push({ ms, end: () => resolve(undefined) })),
  });
  return { guesses, waits, reports, clock };
}

describe('wrong passwords', () => {
  it('wait longer each time, up to a bound, and not for those who were wrong a few times', async () => {
    const { guesses, waits } = stage();
    for (let i = 0; i < 20; i++) {
      guesses.check('a owner');
      const answered = guesses.wrong('a owner');
      waits.at(-1)?.end();
      await answered;
    }
    const delays = waits.map(({ ms }) => ms);
    expect(delays).toHaveLength(17);
    expect(delays.slice(0, 4)).toEqual([100, 200, 400, 800]);
    expect(new Set(delays.slice(7))).toEqual(new Set([10_000]));
  });

  it('at once are not compared beyond a few, although their clients have left', async () => {
    const { guesses, waits } = stage();
    for (let i = 0; i < 3; i++) await guesses.wrong('a owner');
    const pending = Array.from({ length: 8 }, () => guesses.wrong('a owner'));
    expect(() => guesses.check('a owner')).toThrow('Too many wrong passwords');
    // others are not kept out
    expect(() => guesses.check('a reader')).not.toThrow();
    expect(() => guesses.check('b owner')).not.toThrow();
    for (const { end } of waits) end();
    await Promise.all(pending);
    expect(() => guesses.check('a owner')).not.toThrow();
  });

  it('of many addresses are bounded together', async () => {
    const { guesses } = stage();
    for (let address = 0; address < 64; address++) {
      for (let i = 0; i < 3; i++) await guesses.wrong(`${address} owner`);
      for (let i = 0; i < 4; i++) void guesses.wrong(`${address} owner`);
    }
    expect(() => guesses.check('new owner')).toThrow('Too many wrong passwords');
  });

  it('are forgotten by a right one', async () => {
    const { guesses, waits } = stage();
    for (let i = 0; i < 3; i++) await guesses.wrong('a owner');
    guesses.right('a owner');
    for (let i = 0; i < 3; i++) await guesses.wrong('a owner');
    expect(waits).toHaveLength(0);
  });

  it('are told with their number, in one line at a time', async () => {
    const { guesses, reports, clock } = stage();
    for (let i = 0; i < 5; i++) await guesses.wrong(`${i} owner`);
    clock.ms = 10_000;
    await guesses.wrong('5 owner');
    expect(reports).toEqual([
      { wrong: 1, total: 1 },
      { wrong: 5, total: 6 },
    ]);
  });
});
