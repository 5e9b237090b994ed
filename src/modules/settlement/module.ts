import type { Module } from '../module.ts';
import { recordCandidates } from '../record-candidates.ts';
import { settlementDerivation } from './derivation.ts';
import { settlementRoute } from './routes/settlement.ts';
import { settlementsRoute } from './routes/settlements.ts';
import { SETTLEMENTS } from './tables.ts';

export const settlement: Module = {
  name: 'settlement',
  derivation: settlementDerivation,
  routes: [settlementsRoute, settlementRoute],
  candidates: [recordCandidates('settlement', SETTLEMENTS)],
};
