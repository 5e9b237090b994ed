import { formatTimeNs } from 'strata-kit/time';
import { describe, expect, it } from 'vitest';
import { type BlockClock, parseClockScript, simulatedClock, wallClock } from '../src/comet/clock.ts';
import { parseStepClock } from '../src/comet/step-clock.ts';

function times(clock: BlockClock, count: number): string[] {
  const list: string[] = [];
  let last = clock.genesisTimeNs;
  for (let height = 1; height <= count; height++) {
    last = clock.next(height, last);
    list.push(formatTimeNs(last));
  }
  return list;
}

describe('a simulated clock', () => {
  it('goes 5 s a block from a day of its own', () => {
    expect(times(simulatedClock(), 3)).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:05Z',
      '2026-01-01T00:00:10Z',
    ]);
  });

  it('does what its script says: midnight, a gap, another step', () => {
    const script = parseClockScript(`
genesis: 2026-03-01T12:00:00Z
step: 250ms
at:
  - { height: 3, set: 2026-03-01T23:59:59.5Z }
  - { height: 5, jump: 36h }
  - { height: 6, step: 1m }
`);
    expect(times(simulatedClock(script), 7)).toEqual([
      '2026-03-01T12:00:00Z',
      '2026-03-01T12:00:00.25Z',
      '2026-03-01T23:59:59.5Z',
      '2026-03-01T23:59:59.75Z',
      // 36 h on top of the step
      '2026-03-03T12:00:00Z',
      '2026-03-03T12:01:00Z',
      '2026-03-03T12:02:00Z',
    ]);
  });

  it('is never set back', () => {
    const clock = simulatedClock(parseClockScript('at: [{ height: 2, set: 2026-01-01T00:00:00Z }]'));
    expect(() => times(clock, 2)).toThrow('the clock script sets the time back at height 2');
  });

  it.each([
    ['step: fast', /no duration: fast/],
    ['step: 0s', /no duration: 0s/],
    ['genesis: today', /no time: today/],
    ['steps: 5s', /the clock script holds steps, not one of genesis, step, at/],
    ['at: [{ height: 0, jump: 1s }]', /no height: 0/],
    ['at: [{ height: 2, jump: 1s }, { height: 2, jump: 2s }]', /height 2 stands twice/],
    ['- 1', /must hold keys/],
  ])('%s is no script', (text, message) => {
    expect(() => parseClockScript(text)).toThrow(message);
  });
});

describe('a clock of steps', () => {
  it('takes each step as often as it says, and begins anew', () => {
    const clock = parseStepClock('1s*2, 6h,1d*2', 100);
    expect(times(clock, 8)).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:01Z',
      '2026-01-01T00:00:02Z',
      '2026-01-01T06:00:02Z',
      '2026-01-02T06:00:02Z',
      '2026-01-03T06:00:02Z',
      '2026-01-03T06:00:03Z',
      '2026-01-03T06:00:04Z',
    ]);
    // 20 times 2 days, 6 hours and 2 seconds
    expect(formatTimeNs(clock.timeAt(101))).toBe('2026-02-15T00:00:40Z');
  });

  it.each([
    ['', /no duration:/],
    ['fast', /no duration: fast/],
    ['0s', /no duration: 0s/],
    ['5us', /a step is 1ms to 366d, not 5us/],
    ['367d', /a step is 1ms to 366d, not 367d/],
    ['1s*0', /1s\*0 is not <duration>\*<blocks>/],
    ['1s*1000001', /with 1 to 1000000 blocks/],
    ['1s*2*3', /1s\*2\*3 is not <duration>/],
    ['1s,,2s', /no duration:/],
    [Array.from({ length: 65 }, () => '1s').join(), /at most 64 parts/],
    ['1s,'.repeat(400), /at most 1000 characters/],
    ['30d', /30d passes 2200-01-01T00:00:00Z within 100 blocks/],
  ])('%s is no script', (text, message) => {
    expect(() => parseStepClock(text, 100)).toThrow(message);
  });
});

describe('the wall clock', () => {
  it('is later with every block, though the machine’s stands still', () => {
    let now = 5_000_000_000n;
    const clock = wallClock(() => now);
    expect(clock.next(2, 1_000_000_000n)).toBe(5_000_000_000n);
    // CometBFT's least step is 1 ms
    expect(clock.next(3, 5_000_000_000n)).toBe(5_001_000_000n);
    now = 4_000_000_000n;
    expect(clock.next(4, 5_001_000_000n)).toBe(5_002_000_000n);
  });
});
