import type { Module } from '../module.ts';
import { bridgeDerivation } from './derivation.ts';

export const bridge: Module = {
  name: 'bridge',
  derivation: bridgeDerivation,
  routes: [],
};
