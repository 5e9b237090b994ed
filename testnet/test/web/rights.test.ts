import { describe, expect, it } from 'vitest';
import { kindWords, shareWords, type ToldKind, unitWords } from '../../web/src/text/rights.ts';

const SHARE: readonly ToldKind[] = [
  { class: 'ECONOMIC', decimals: 6 },
  { class: 'INCOME', decimals: 6 },
];
const BOND: readonly ToldKind[] = [
  { class: 'REDEMPTION', decimals: 0 },
  { class: 'INCOME', decimals: 2 },
  { class: 'INCOME', decimals: 2 },
];

describe('words behind an amount of units', () => {
  it.each([
    [SHARE, 1, '1000000', 'income right'],
    [SHARE, 1, '1000001', 'income rights'],
    [SHARE, 0, '1', 'economic rights'],
    [BOND, 0, '1', 'redemption right'],
    [BOND, 0, '0', 'redemption rights'],
    [BOND, 2, '100', 'income right of kind 2'],
    [BOND, 1, '5', 'income rights of kind 1'],
    // of a kind, or a whole asset, that is not known
    [BOND, 7, '5', 'base units of kind 7'],
    [undefined, 0, '5', 'base units of kind 0'],
    [undefined, 0, '1', 'base unit of kind 0'],
  ] as const)(
    '%# say the right, its kind where there are several, and how many',
    (kinds, kindId, units, words) => {
      expect(unitWords(kinds, kindId, units)).toBe(words);
    },
  );

  it.each([
    [6, '1000000', 'whole share'],
    [6, '1', 'whole shares'],
    [undefined, '5', 'base units of whole shares'],
    [undefined, '1', 'base unit of whole shares'],
  ] as const)('%# say whole shares', (decimals, units, words) => {
    expect(shareWords(decimals, units)).toBe(words);
  });

  it('name a kind as a whole', () => {
    expect(kindWords(SHARE, 1)).toBe('income rights');
    expect(kindWords(BOND, 2)).toBe('income rights of kind 2');
    expect(kindWords(undefined, 2)).toBe('kind 2');
  });
});
