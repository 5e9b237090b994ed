import { describe, expect, it } from 'vitest';
import type { Prices } from '../../../clients/ts/src/client.ts';
import { hugeText } from '../../web/src/text/amounts.ts';
import {
  changeBetween,
  changeOf,
  changeOverRange,
  pricedAsset,
  rangeOf,
} from '../../web/src/text/markets.ts';

describe('changes of a price', () => {
  it.each([
    ['123', '+1.23 %', 'up'],
    ['-89', '−0.89 %', 'down'],
    ['100', '+1 %', 'up'],
    ['-5', '−0.05 %', 'down'],
    ['250', '+2.5 %', 'up'],
    ['0', '0 %', 'none'],
    ['123456789012345678901', '+1234567890123456789.01 %', 'up'],
  ])('%s basis points are %s', (bps, text, way) => {
    expect(changeOf(bps)).toEqual({ text, way });
  });

  it('are truncated toward zero, and nothing where there was no price', () => {
    expect(changeBetween('30000', '29999')).toBe('0');
    expect(changeBetween('3', '4')).toBe('3333');
    expect(changeBetween('3', '2')).toBe('-3333');
    expect(changeBetween('0', '5')).toBeUndefined();
  });

  it('are those of the range shown, the day as the API tells it', () => {
    const point = (price: string) => ({ time: '2026-11-22T12:00:00Z', price });
    const prices = { change_24h_bps: '7', points: [point('200'), point('1'), point('100')] } as const;
    const told = prices as unknown as Prices;
    expect(changeOverRange(told, '1d')).toBe('7');
    expect(changeOverRange(told, '1w')).toBe('-5000');
    expect(changeOverRange({ ...told, points: [] }, 'all')).toBeUndefined();
  });
});

it('ranges of the URL are known ones, else a day', () => {
  expect([rangeOf('1w'), rangeOf('2w'), rangeOf(undefined)]).toEqual(['1w', '1d', '1d']);
});

it('an asset id is taken as pasted, and nothing else is', () => {
  const id = 'ab'.repeat(32);
  expect(pricedAsset(` ${id.toUpperCase()}\n`)).toBe(id);
  expect(pricedAsset('native')).toBe('native');
  for (const text of ['', 'ab', `${id}0`, `0x${id}`, 'z'.repeat(64)])
    expect(pricedAsset(text)).toBeUndefined();
});

it.each([
  ['999,999,999,999,999,999.5', '999,999,999,999,999,999.5'],
  ['1,000,000,000,000,000,000', '1 × 10¹⁸'],
  ['57,896,999,618,658,097,711.1', '5.789 × 10¹⁹'],
  ['−1,203,000,000,000,000,000', '−1.203 × 10¹⁸'],
  ['<0.0001', '<0.0001'],
])('%s is written as %s, cut off and never rounded up', (text, written) => {
  expect(hugeText(text)).toBe(written);
});
