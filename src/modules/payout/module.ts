import type { Module } from '../module.ts';
import { payoutDerivation } from './derivation.ts';
import { distributionsRoute } from './routes/distributions.ts';

export { accrualsOf } from './accruals-read.ts';
export { claimableOf } from './claimable-read.ts';

export const payout: Module = {
  name: 'payout',
  derivation: payoutDerivation,
  routes: [distributionsRoute],
};
