import type { Scenario } from '../../scenario.ts';
import { BATCHES } from './batches.ts';
import { DECIMALS } from './decimals.ts';
import { ENCUMBRANCE_ENDS } from './encumbrance-ends.ts';
import { HOLDERS } from './holders.ts';
import { POOLS } from './pools.ts';
import { ROUTES } from './routes.ts';
import { STRIPS } from './strips.ts';
import { TIERS } from './tiers.ts';
import { TREASURY } from './treasury.ts';
import { TWO_ASSETS } from './two-assets.ts';

/** The rare catalogue: what chains allow and people seldom do, so that an indexer is likely to have it wrong. */
export const RARE: readonly Scenario[] = [
  ...ENCUMBRANCE_ENDS,
  ...TIERS,
  ...TWO_ASSETS,
  ...STRIPS,
  ...HOLDERS,
  ...DECIMALS,
  ...BATCHES,
  ...POOLS,
  ...ROUTES,
  ...TREASURY,
];
