import type { Module } from '../module.ts';
import { settlementDerivation } from './derivation.ts';

export const settlement: Module = { name: 'settlement', derivation: settlementDerivation, routes: [] };
