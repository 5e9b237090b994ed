import type { Module } from '../module.ts';
import { bridgeDerivation } from './derivation.ts';
import { bridgeRouteRoute } from './routes/route.ts';
import { bridgeRoutesRoute } from './routes/routes.ts';
import { bridgeTransfersRoute } from './routes/transfers.ts';

export const bridge: Module = {
  name: 'bridge',
  derivation: bridgeDerivation,
  routes: [bridgeRoutesRoute, bridgeRouteRoute, bridgeTransfersRoute],
};
