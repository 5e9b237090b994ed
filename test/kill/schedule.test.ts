import { describe, expect, it } from 'vitest';
import { killSchedule, PHASES, phaseOf } from './schedule.ts';

describe('the schedule', () => {
  const plans = (seed: number, kills: number) => {
    const schedule = killSchedule(seed, kills);
    return Array.from({ length: kills }, () => schedule.next([]));
  };

  it('is the same for a seed, and another for another', () => {
    expect(plans(7, 25)).toEqual(plans(7, 25));
    expect(plans(7, 25)).not.toEqual(plans(8, 25));
  });

  it('aims at every phase in turn, and towards the end at those that had no kill', () => {
    expect(new Set(plans(7, 6).map(({ aim }) => aim))).toEqual(new Set([undefined, ...PHASES]));
    const schedule = killSchedule(7, 20);
    const aims = Array.from({ length: 20 }, () => schedule.next(['checkpoint']).aim);
    expect(aims.slice(12)).toEqual(Array.from({ length: 8 }, () => 'checkpoint'));
  });

  it('tells the phase of every step', () => {
    expect(phaseOf(undefined)).toBe('start-up');
    expect(phaseOf('repair:delete/txs')).toBe('start-up');
    expect(phaseOf('start:done')).toBe('decode');
    expect(phaseOf('commit:insert/txs')).toBe('insert');
    expect(phaseOf('commit:checkpoint')).toBe('checkpoint');
    expect(() => phaseOf('commit:other')).toThrow('no step');
  });
});
