import type { KindClass } from '../../../../clients/ts/src/client.ts';

/** The classes of rights that an asset may be made of, in words. */
export interface KindWords {
  /** `Economic`, of what text/rights.ts calls an economic right. */
  readonly name: string;
  /** What a unit of it is, for somebody who has never heard of it. One sentence. */
  readonly means: string;
}

export const KIND_WORDS: Readonly<Record<KindClass, KindWords>> = {
  ECONOMIC: {
    name: 'Economic',
    means: 'A unit is a share of the asset itself: of what is left of it when everything else is paid.',
  },
  INCOME: {
    name: 'Income',
    means:
      'A unit is a claim to what is paid out to this kind. Whoever holds it at a payout may claim its part.',
  },
  VOTE: {
    name: 'Voting',
    means:
      'A unit is a vote. Holders may lend their votes to somebody else; the chain counts them and holds no ballots.',
  },
  REDEMPTION: {
    name: 'Redemption',
    means: 'A unit is handed back when the asset is repaid: its holder gives it up, and it ceases to exist.',
  },
};

/** `Income 1`: an asset may have several kinds of one class, which its kind ids tell apart. */
export function kindName(kindClass: KindClass, kindId: number): string {
  return `${KIND_WORDS[kindClass].name} ${kindId}`;
}

/** Of an asset's kind by its id; `Kind 7` where the asset has no such kind. */
export function kindNameOf(
  { kinds }: { readonly kinds: readonly { readonly kind_id: number; readonly class: KindClass }[] },
  kindId: number,
): string {
  const kind = kinds.find(({ kind_id }) => kind_id === kindId);
  return kind === undefined ? `Kind ${kindId}` : kindName(kind.class, kindId);
}

/** What makes up a whole share. */
export const WHOLE_SHARE_MEANS =
  'A whole share is one unit of each kind that belongs to it, moved together under one token address.';
