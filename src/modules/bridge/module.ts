import type { Module } from '../module.ts';
import { bridgeDerivation } from './derivation.ts';
import { bridgeExport } from './export.ts';
import { bridgeRouteRoute } from './routes/route.ts';
import { bridgeRoutesRoute } from './routes/routes.ts';
import { bridgeTransfersRoute } from './routes/transfers.ts';

export const bridge: Module = {
  name: 'bridge',
  derivation: bridgeDerivation,
  export: bridgeExport,
  routes: [bridgeRoutesRoute, bridgeRouteRoute, bridgeTransfersRoute],
};
