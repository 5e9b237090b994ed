import type { LaunchpadDocument } from '../launchpad/document.ts';

/** What a test asset is made of, in whole units and whole stable coins. */
export interface TestAsset {
  readonly document: LaunchpadDocument;
  readonly classes: readonly string[];
  /** Of each kind, all of them issued to the desk, which then ends issuance. */
  readonly supply: bigint;
  readonly pool: { readonly shares: bigint; readonly coins: bigint };
}

const MADE_UP =
  'It is made up, so that everything on this test chain can be tried out: nobody owns such a thing.';

/**
 * Each of all three kinds, whose fractions of a share add up to it: what has fewer the desk does not sell alone. A document
 * that changes makes another asset.
 */
export const TEST_ASSETS: readonly TestAsset[] = [
  {
    document: {
      name: 'Riverside Orchard',
      symbol: 'ORCH',
      template: 'equity',
      description: `An orchard of forty apple trees by a river. ${MADE_UP} Its shares have three kinds: ECONOMIC, INCOME and VOTE.`,
    },
    classes: ['ECONOMIC', 'INCOME', 'VOTE'],
    supply: 1_000_000n,
    pool: { shares: 200_000n, coins: 600_000n },
  },
  {
    document: {
      name: 'Schoolhouse Solar Roof',
      symbol: 'SOLAR',
      template: 'equity',
      description: `Panels on the roof of a village school. ${MADE_UP} Its shares have three kinds: ECONOMIC, VOTE and INCOME, which can be sold by itself.`,
    },
    classes: ['ECONOMIC', 'INCOME', 'VOTE'],
    supply: 500_000n,
    pool: { shares: 100_000n, coins: 1_250_000n },
  },
  {
    document: {
      name: 'Kiln Lane Garden',
      symbol: 'GARDEN',
      template: 'equity',
      description: `A garden that neighbours look after together. ${MADE_UP} Its shares have three kinds: ECONOMIC, INCOME and VOTE.`,
    },
    classes: ['ECONOMIC', 'INCOME', 'VOTE'],
    supply: 250_000n,
    pool: { shares: 50_000n, coins: 40_000n },
  },
];

/** All kinds and the stable coin have 6 decimals. */
export const ONE = 1_000_000n;
