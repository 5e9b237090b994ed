import type { Module } from '../module.ts';
import { waterfallDerivation } from './derivation.ts';

export const waterfall: Module = {
  name: 'waterfall',
  derivation: waterfallDerivation,
  routes: [],
};
