import { describe, expect, it } from 'vitest';
import { parseFaults } from '../../src/faults/names.ts';

describe('faults by name', () => {
  it('may have a height; wrong values also a field and a last height', () => {
    expect(
      parseFaults([
        'halt',
        'fork@7',
        'event-value@5-9',
        'query-value:rights.Totals.supply',
        'event-value@12',
      ]),
    ).toEqual([
      { name: 'halt', from: undefined, to: undefined, field: undefined },
      { name: 'fork', from: 7, to: undefined, field: undefined },
      { name: 'event-value', from: 5, to: 9, field: undefined },
      { name: 'query-value', from: undefined, to: undefined, field: ['rights', 'Totals', 'supply'] },
      { name: 'event-value', from: 12, to: undefined, field: undefined },
    ]);
  });

  it.each([
    [['nothing'], 'known, each with @height: event-value, query-value, prune, halt, lag, fork, chain-id'],
    [['halt@'], "there is no fault 'halt@'"],
    [['halt@x'], "there is no fault 'halt@x'"],
    [['halt@5-6'], "takes a height alone, not 'halt@5-6'"],
    [['lag:rights.Totals.supply'], 'takes a height alone'],
    [['fork@0'], "the heights of the fault 'fork@0' are none"],
    [['event-value@9-5'], 'are none'],
    [['halt@5', 'halt@6'], "the fault 'halt' can happen once only"],
  ])('%j is refused', (texts, reason) => {
    expect(() => parseFaults(texts)).toThrow(reason);
  });
});
