import type { Asset, AssetStatus, Kind } from '../../../../clients/ts/src/client.ts';
import { exactTime } from './times.ts';

export const STATUS_WORDS: Readonly<
  Record<AssetStatus, { readonly word: string; readonly tone: 'good' | 'warn' | 'plain' }>
> = {
  ASSET_STATUS_ACTIVE: { word: 'active', tone: 'good' },
  ASSET_STATUS_LIQUIDATING: { word: 'being wound up', tone: 'warn' },
  ASSET_STATUS_LIQUIDATED: { word: 'wound up', tone: 'plain' },
};

/** `being wound up` of `ASSET_STATUS_LIQUIDATING`; undefined for a status that is not known. */
export function statusWord(status: string): string | undefined {
  return Object.entries(STATUS_WORDS).find(([name]) => name === status)?.[1].word;
}

/** What a template promises of an asset's kinds, when it is launched. */
export const TEMPLATE_WORDS: Readonly<Record<'community' | 'dividend' | 'equity' | 'bond', string>> = {
  community: 'Community: one economic right, in a fixed number of units.',
  dividend: 'Dividend: an economic right, and a right to income that may be held apart from it.',
  equity: 'Equity: an economic right, a right to income and a vote.',
  bond: 'Bond: a right to repayment, and one right to income for each coupon date.',
};

/** When the right holds; undefined where it always does. */
export function termText(term: Kind['term']): string | undefined {
  if (term === null) return undefined;
  const { starts_at, ends_at } = term;
  if (starts_at !== null && ends_at !== null)
    return `from ${exactTime(starts_at)} until ${exactTime(ends_at)}`;
  if (starts_at !== null) return `from ${exactTime(starts_at)} on`;
  if (ends_at !== null) return `until ${exactTime(ends_at)}`;
  return undefined;
}

/** Why wallets show another number than there are units; undefined where they show the same. */
export function multiplierText(multiplier: number | string): string | undefined {
  return multiplier === 1
    ? undefined
    : `After a split each unit is shown as ${multiplier}. Only the picture of it changed: units, trades and payouts count as before.`;
}

export function liensText(asset: Pick<Asset, 'liens_allowed'>): string {
  return asset.liens_allowed
    ? "Allowed: the asset's operator may lock a holder's units as security for a debt, and has to name its evidence."
    : "Not allowed: nobody but a holder, or the issuer by a lockup, can lock a holder's units.";
}

export function issuanceText(isLocked: boolean): string {
  return isLocked
    ? 'Ended for good: no more units can ever be issued.'
    : 'Open: the issuer may issue more units, which makes each one a smaller part.';
}

/** What a liquidation leaves possible (what the chain refuses from then on, docs/devnet.md "Waterfall"). */
export const WIND_UP_WORDS = {
  works:
    'Holders can still claim income, hand in units at a redemption pool, end delegations, and locked units are released or taken as agreed.',
  stops: 'Issuing, transfers, trades, new payouts, new locks and new delegations are refused.',
} as const;

/** `12.34 %`, cut, never rounded up; `<0.01 %` for less than is shown. */
export function shareText(part: string | bigint, whole: string | bigint): string {
  const [a, b] = [BigInt(part), BigInt(whole)];
  if (b <= 0n || a <= 0n) return '0 %';
  const hundredths = (a * 10_000n) / b;
  if (hundredths === 0n) return '<0.01 %';
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')} %`;
}
