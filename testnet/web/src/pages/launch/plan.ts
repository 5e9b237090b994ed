import type { Message } from '../../wallet/json.ts';

/** What the wizard makes of its answers: pure, and held against a chain by a test. */

export const TEMPLATES = ['community', 'dividend', 'equity', 'bond'] as const;
export type Template = (typeof TEMPLATES)[number];

/** Of every kind that the wizard makes. */
export const DECIMALS = 6;
/** What a node simulates in one request bounds them. */
export const MAX_COUPONS = 12;
const DAY_MS = 86_400_000;

export interface Draft {
  readonly template: Template;
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  /** Base64 of a PNG. */
  readonly logo: string | undefined;
  /** Whole units of each kind, as typed. */
  readonly supply: string;
  /** As typed; empty: the issuer. */
  readonly recipient: string;
  /** Of a bond: days such as 2027-01-31, as typed. */
  readonly coupons: readonly string[];
}

export const EMPTY_DRAFT: Draft = {
  template: 'community',
  name: '',
  symbol: '',
  description: '',
  logo: undefined,
  supply: '1000',
  recipient: '',
  coupons: [],
};

/** A kind as its asset is created. */
export interface KindPlan {
  readonly class: 'ECONOMIC' | 'INCOME' | 'VOTE' | 'REDEMPTION';
  /** RFC 3339, of a coupon. */
  readonly term?: { readonly starts_at: string; readonly ends_at: string };
}

/** In the order of their ids. A coupon's term goes from the coupon before it, or today, to its own day's beginning. */
export function kindsOf(
  { template, coupons }: Pick<Draft, 'template' | 'coupons'>,
  today: string,
): readonly KindPlan[] {
  switch (template) {
    case 'community':
      return [{ class: 'ECONOMIC' }];
    case 'dividend':
      return [{ class: 'ECONOMIC' }, { class: 'INCOME' }];
    case 'equity':
      return [{ class: 'ECONOMIC' }, { class: 'INCOME' }, { class: 'VOTE' }];
    case 'bond':
      return [
        { class: 'REDEMPTION' },
        ...coupons.map((day, at): KindPlan => {
          const from = coupons[at - 1] ?? today;
          return { class: 'INCOME', term: { starts_at: `${from}T00:00:00Z`, ends_at: `${day}T00:00:00Z` } };
        }),
      ];
  }
}

/** What is wrong with the coupons' days; undefined where nothing is. */
export function couponsError(coupons: readonly string[], today: string): string | undefined {
  if (coupons.length === 0) return 'A bond needs at least one coupon: a day on which income is due.';
  if (coupons.length > MAX_COUPONS) return `At most ${MAX_COUPONS} coupons.`;
  for (const [at, day] of coupons.entries()) {
    if (!isDay(day)) return 'Each coupon is a day, such as 2027-01-31.';
    if (day <= (coupons[at - 1] ?? today)) {
      return at === 0 ? 'The first coupon must lie after today.' : 'The days must follow each other.';
    }
  }
  return undefined;
}

/** `2027-02-30` is none. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && dayOf(ms) === text;
}

/** In UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The days of `count` coupons, `months` apart, from today on. */
export function couponDays(today: string, count: number, months: number): readonly string[] {
  const [year = 1970, month = 1, day = 1] = today.split('-').map(Number);
  return Array.from({ length: count }, (_, i) => {
    const to = month - 1 + months * (i + 1);
    const last = new Date(Date.UTC(year, to + 1, 1) - DAY_MS).getUTCDate();
    return dayOf(Date.UTC(year, to, Math.min(day, last)));
  });
}

export interface LaunchOf {
  readonly namespace: string;
  /** Bech32. */
  readonly issuer: string;
  readonly recipient: string;
  readonly stableDenom: string;
  /** The document's, base64 of 32 bytes. */
  readonly metaHash: string;
  /** The id that the asset will have. */
  readonly assetId: string;
  readonly kinds: readonly KindPlan[];
  /** Base units of each kind. */
  readonly units: bigint;
}

/** One tx: the asset, the units of each kind, and the end of issuance. */
export function launchMessages(launch: LaunchOf): readonly Message[] {
  const { namespace, issuer, recipient, stableDenom, metaHash, assetId, kinds, units } = launch;
  return [
    {
      '@type': `/${namespace}.asset.v1.MsgCreateAsset`,
      issuer,
      meta_hash: metaHash,
      settlement_denom: stableDenom,
      kinds: kinds.map(({ class: name, term }) => ({
        class: `KIND_CLASS_${name}`,
        decimals: DECIMALS,
        bundle: true,
        transferable: true,
        multiplier: '1',
        ...(term === undefined ? {} : { term: { ...term } }),
      })),
    },
    ...kinds.map((_, kindId) => ({
      '@type': `/${namespace}.rights.v1.MsgIssue`,
      issuer,
      asset_id: assetId,
      kind_id: kindId,
      recipient,
      units: String(units),
    })),
    { '@type': `/${namespace}.asset.v1.MsgLockIssuance`, issuer, asset_id: assetId },
  ];
}
