import type { Module } from '../module.ts';
import { rightsDerivation } from './derivation.ts';
import { rightsExport } from './export.ts';
import { graphRoute } from './routes/graph.ts';
import { holdersRoute } from './routes/holders.ts';

export const rights: Module = {
  name: 'rights',
  derivation: rightsDerivation,
  export: rightsExport,
  routes: [graphRoute, holdersRoute],
};
