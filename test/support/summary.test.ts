import { describe, expect, it } from 'vitest';
import { outcomeOf } from './summary.ts';

describe('the outcome of a run', () => {
  it.each([
    [
      '\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m53 passed\x1b[39m\x1b[22m (53)\n',
      0,
      { passed: 53, failed: 0 },
    ],
    [
      '      Tests  1 failed | 231 passed | 2 skipped (234)\n   Duration  3s\n',
      1,
      { passed: 231, failed: 1 },
    ],
    ['kills per phase: …\n1 passed, 0 failed\n', 0, { passed: 1, failed: 0 }],
    ['0 passed, 1 failed\n', 1, { passed: 0, failed: 1 }],
  ])('is the last summary: %j', (text, exitCode, outcome) => {
    expect(outcomeOf(text, exitCode)).toEqual(outcome);
  });

  it.each([
    ['      Tests  53 passed (53)\n', 1, { passed: 53, failed: 1 }],
    ['      Tests  53 passed (53)\n', null, { passed: 53, failed: 1 }],
    ['no tests\n', 0, { passed: 0, failed: 1 }],
  ])('is a failure where the run ended badly or told nothing: %j, %j', (text, exitCode, outcome) => {
    expect(outcomeOf(text, exitCode)).toEqual(outcome);
  });
});
