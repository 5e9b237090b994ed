import type { Module } from '../module.ts';
import { rightsDerivation } from './derivation.ts';
import { graphRoute } from './routes/graph.ts';
import { holdersRoute } from './routes/holders.ts';

export const rights: Module = {
  name: 'rights',
  derivation: rightsDerivation,
  routes: [graphRoute, holdersRoute],
};
