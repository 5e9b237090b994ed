import type { Module } from '../module.ts';
import { waterfallDerivation } from './derivation.ts';
import { waterfallExport } from './export.ts';
import { liquidationRoute } from './routes/liquidation.ts';

export const waterfall: Module = {
  name: 'waterfall',
  derivation: waterfallDerivation,
  export: waterfallExport,
  routes: [liquidationRoute],
};
