import type { Module } from '../module.ts';
import { payoutDerivation } from './derivation.ts';
import { payoutExport } from './export.ts';
import { distributionsRoute } from './routes/distributions.ts';

export const payout: Module = {
  name: 'payout',
  derivation: payoutDerivation,
  export: payoutExport,
  routes: [distributionsRoute],
};
