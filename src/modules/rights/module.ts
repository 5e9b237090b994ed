import type { Module } from '../module.ts';
import { rightsDerivation } from './derivation.ts';

export const rights: Module = {
  name: 'rights',
  derivation: rightsDerivation,
  routes: [],
};
