import type { Module } from '../module.ts';
import { recordCandidates } from '../record-candidates.ts';
import { settlementDerivation } from './derivation.ts';
import { settlementExport } from './export.ts';
import { settlementRoute } from './routes/settlement.ts';
import { settlementsRoute } from './routes/settlements.ts';
import { SETTLEMENTS } from './tables.ts';

export const settlement: Module = {
  name: 'settlement',
  derivation: settlementDerivation,
  export: settlementExport,
  routes: [settlementsRoute, settlementRoute],
  candidates: [recordCandidates('settlement', SETTLEMENTS)],
};
