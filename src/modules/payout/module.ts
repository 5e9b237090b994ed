import type { Module } from '../module.ts';
import { payoutDerivation } from './derivation.ts';
import { distributionsRoute } from './routes/distributions.ts';

export const payout: Module = {
  name: 'payout',
  derivation: payoutDerivation,
  routes: [distributionsRoute],
};
