import { type Derivation, on } from '../../derive/derivation.ts';
import {
  FUNDED,
  LIQUIDATION_BEGAN,
  LIQUIDATION_CLOSED,
  POOL_OPENED,
  POOL_REDEEMED,
  TIER_PAID,
  WATERFALL_SET,
} from './events.ts';
import { LIQUIDATIONS, REDEMPTION_POOLS, TIER_PAYMENTS, WATERFALL_TIERS } from './tables.ts';

export const waterfallDerivation: Derivation = {
  module: 'waterfall',
  tables: [LIQUIDATIONS, REDEMPTION_POOLS, TIER_PAYMENTS, WATERFALL_TIERS],
  reads: [],
  open: () => ({
    state: undefined,
    handlers: [
      on(FUNDED, () => undefined),
      on(LIQUIDATION_BEGAN, () => undefined),
      on(LIQUIDATION_CLOSED, () => undefined),
      on(POOL_OPENED, () => undefined),
      on(POOL_REDEEMED, () => undefined),
      on(TIER_PAID, () => undefined),
      on(WATERFALL_SET, () => undefined),
    ],
    endBlock: () => undefined,
    restore: async () => undefined,
  }),
};
