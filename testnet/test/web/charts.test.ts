import { describe, expect, it } from 'vitest';
import { axisText, axisTexts } from '../../web/src/text/axis.ts';
import { inBuckets } from '../../web/src/text/buckets.ts';
import { dateTimeText } from '../../web/src/text/times.ts';

describe('amounts over time in equal spans', () => {
  const amounts = [
    { at: '2026-11-20T10:00:59.999999999Z', amount: '3' },
    { at: '2026-11-20T10:00:00Z', amount: '340282366920938463463374607431768211456' },
    { at: '2026-11-20T10:03:00Z', amount: '5' },
  ];

  it('are summed exactly, and spans without any keep their place', () => {
    expect(inBuckets(amounts, 60)).toEqual({
      span: 'minute',
      buckets: [
        { at: '2026-11-20T10:00:00.000Z', value: '340282366920938463463374607431768211459' },
        { at: '2026-11-20T10:01:00.000Z', value: undefined },
        { at: '2026-11-20T10:02:00.000Z', value: undefined },
        { at: '2026-11-20T10:03:00.000Z', value: '5' },
      ],
    });
  });

  it('are of the shortest span that makes few enough', () => {
    expect(inBuckets(amounts, 3)).toMatchObject({ span: '10 minutes', buckets: [{}] });
    const far = [...amounts, { at: '2026-12-20T10:00:00Z', amount: '1' }];
    const { span, buckets } = inBuckets(far, 60);
    expect([span, buckets.length, buckets[0]?.at]).toEqual(['day', 31, '2026-11-20T00:00:00.000Z']);
  });

  it('of no amount are none', () => {
    expect(inBuckets([], 60).buckets).toEqual([]);
  });
});

describe('numbers at an axis', () => {
  it.each([
    [0, '0'],
    [1_250_000, '1.25M'],
    [40_000, '40k'],
    [2_500, '2,500'],
    [0.000423, '0.000423'],
    [-12.5, '-12.5'],
  ])('%d is %s', (value, text) => {
    expect(axisText(value)).toBe(text);
  });

  it.each([
    [
      [2.03, 2.025, 2.02, 2],
      ['2.03', '2.025', '2.02', '2'],
    ],
    [
      [800, 600, 0],
      ['800', '600', '0'],
    ],
    [
      [1.0000012, 1.0000011],
      ['1.0000012', '1.0000011'],
    ],
    // a value is told once, however often it is asked for
    [
      [5, 5],
      ['5', '5'],
    ],
  ])('%j have the digits that tell them apart: %j', (values, texts) => {
    expect(axisTexts(values)).toEqual(texts);
  });
});

it('a time of a chart is UTC, wherever the reader is', () => {
  expect(dateTimeText('2026-11-20T23:59:30.25Z')).toBe('20 Nov 2026, 23:59');
  expect(dateTimeText('soon')).toBe('soon');
});
