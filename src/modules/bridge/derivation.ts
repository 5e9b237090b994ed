import { type Derivation, on } from '../../derive/derivation.ts';
import { ESCROW_INCOME_SWEPT, ROUTE_CREATED, ROUTE_UPDATED, TRANSFER_IN, TRANSFER_OUT } from './events.ts';
import { BRIDGE_INCOME, BRIDGE_ROUTES, BRIDGE_TRANSFERS } from './tables.ts';

export const bridgeDerivation: Derivation = {
  module: 'bridge',
  tables: [BRIDGE_INCOME, BRIDGE_ROUTES, BRIDGE_TRANSFERS],
  reads: [],
  open: () => ({
    state: undefined,
    handlers: [
      on(ESCROW_INCOME_SWEPT, () => undefined),
      on(ROUTE_CREATED, () => undefined),
      on(ROUTE_UPDATED, () => undefined),
      on(TRANSFER_IN, () => undefined),
      on(TRANSFER_OUT, () => undefined),
    ],
    endBlock: () => undefined,
    restore: async () => undefined,
  }),
};
