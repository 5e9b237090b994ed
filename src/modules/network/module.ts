import type { Module } from '../module.ts';
import { networkDerivation } from './derivation.ts';
import { networkStatsRoute } from './routes/network-stats.ts';

/** What happened on the chain in all and by day: part of the base layer, on any chain. */
export const network: Module = {
  name: 'network',
  derivation: networkDerivation,
  routes: [networkStatsRoute],
};
