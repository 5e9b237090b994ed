import { describe, expect, it } from 'vitest';
import { failuresOf, outcomeOf } from './summary.ts';

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

describe('the failures of a run', () => {
  it('are told by name and first line, once each, up to a limit', () => {
    const text = [
      '\x1b[41m FAIL \x1b[49m test/a.test.ts > one',
      '\x1b[1mAssertionError\x1b[22m: expected 1 to be 2',
      ' FAIL  test/b.test.ts > two',
      ' FAIL  test/b.test.ts > three',
      'Error: late',
      ' FAIL  test/a.test.ts > one',
      'AssertionError: again',
    ].join('\n');
    expect(failuresOf(text, 9)).toEqual([
      'test/a.test.ts > one: AssertionError: expected 1 to be 2',
      'test/b.test.ts > two: Error: late',
      'test/b.test.ts > three: Error: late',
    ]);
    expect(failuresOf(text, 1)).toHaveLength(1);
  });

  it('are told down to their place for the first ones', () => {
    const text = [
      ' FAIL  test/a.test.ts > one',
      'Error: strata demo ended by SIGSEGV:',
      '',
      'its last line',
      '\x1b[36m ❯\x1b[39m stopWell test/support/command.ts:142:13',
      '    140|       if (exitCode === 0) return result;',
      ' FAIL  test/b.test.ts > two',
      'AssertionError: expected 1 to be 2',
      '+ Received',
    ].join('\n');
    expect(failuresOf(text, 9, 1)).toEqual([
      'test/a.test.ts > one: Error: strata demo ended by SIGSEGV:\n    its last line\n     ❯ stopWell test/support/command.ts:142:13',
      'test/b.test.ts > two: AssertionError: expected 1 to be 2',
    ]);
    expect(failuresOf(text, 9, 2)[1]).toMatch(/: AssertionError: expected 1 to be 2\n {4}\+ Received$/);
  });
});
