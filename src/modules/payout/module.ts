import type { Module } from '../module.ts';
import { payoutDerivation } from './derivation.ts';

export const payout: Module = {
  name: 'payout',
  derivation: payoutDerivation,
  routes: [],
};
