import type { Prices } from '../../../../clients/ts/src/client.ts';

export const RANGES = ['1d', '1w', '1m', 'all'] as const;
export type Range = (typeof RANGES)[number];

export const RANGE_WORDS: Readonly<Record<Range, string>> = {
  '1d': 'Day',
  '1w': 'Week',
  '1m': 'Month',
  all: 'All',
};

/** Of the URL; a day where it says nothing that is one. */
export function rangeOf(text: string | undefined): Range {
  return RANGES.find((range) => range === text) ?? '1d';
}

export interface Change {
  /** `+1.23 %`, `−0.4 %`, `0 %` */
  readonly text: string;
  readonly way: 'up' | 'down' | 'none';
}

/** A change in basis points (hundredths of a percent, a signed decimal text) as people say it. */
export function changeOf(bps: string): Change {
  const value = BigInt(bps);
  if (value === 0n) return { text: '0 %', way: 'none' };
  const size = value < 0n ? -value : value;
  const fraction = String(size % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  const text = `${size / 100n}${fraction === '' ? '' : `.${fraction}`} %`;
  return value > 0n ? { text: `+${text}`, way: 'up' } : { text: `−${text}`, way: 'down' };
}

/** How far a price is from another, in basis points truncated toward zero; undefined where the first one is 0. */
export function changeBetween(from: string, to: string): string | undefined {
  const before = BigInt(from);
  return before === 0n ? undefined : String(((BigInt(to) - before) * 10_000n) / before);
}

/** The change over what the chart shows; over a day it is the API's own figure. */
export function changeOverRange({ change_24h_bps, points }: Prices, range: Range): string | undefined {
  if (range === '1d') return change_24h_bps;
  const first = points[0];
  const last = points.at(-1);
  return first === undefined || last === undefined ? undefined : changeBetween(first.price, last.price);
}

/** An asset id as somebody typed or pasted it, or `native`; undefined for what is neither. */
export function pricedAsset(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  return trimmed === 'native' || /^[0-9a-f]{64}$/.test(trimmed) ? trimmed : undefined;
}
