import type { Scenario } from '../scenario.ts';
import { ANTE } from './ante.ts';
import { BRIDGING } from './bridging.ts';
import { ENCUMBERING } from './encumbering.ts';
import { HOLDING } from './holding.ts';
import { LAUNCHES } from './launches.ts';
import { LIQUIDATING } from './liquidating.ts';
import { REFUSALS } from './refusals.ts';
import { REFUSALS_OF_DEALS } from './refusals-of-deals.ts';
import { REFUSALS_OF_ENDS } from './refusals-of-ends.ts';
import { REVERTING_CALLS } from './reverting.ts';
import { SETTLING } from './settling.ts';
import { TRADING } from './trading.ts';

/** The whole catalogue. */
export const SCENARIOS: readonly Scenario[] = [
  ...LAUNCHES,
  ...HOLDING,
  ...SETTLING,
  ...ENCUMBERING,
  ...LIQUIDATING,
  ...BRIDGING,
  ...TRADING,
  ...REVERTING_CALLS,
  ...REFUSALS,
  ...REFUSALS_OF_DEALS,
  ...REFUSALS_OF_ENDS,
  ...ANTE,
];
