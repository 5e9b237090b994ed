import type { Module } from '../module.ts';
import { delegationDerivation } from './derivation.ts';
import { delegationExport } from './export.ts';
import { delegationRoute } from './routes/delegation.ts';

export const delegation: Module = {
  name: 'delegation',
  derivation: delegationDerivation,
  export: delegationExport,
  routes: [delegationRoute],
};
