import type { Module } from '../module.ts';
import { activityDerivation } from './derivation.ts';
import { accountEventsRoute } from './routes/account-events.ts';
import { assetEventsRoute } from './routes/asset-events.ts';

export const activity: Module = {
  name: 'activity',
  derivation: activityDerivation,
  routes: [assetEventsRoute, accountEventsRoute],
};
