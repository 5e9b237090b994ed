import type { Module } from '../module.ts';
import { recordCandidates } from '../record-candidates.ts';
import { encumbranceDerivation } from './derivation.ts';
import { encumbranceExport } from './export.ts';
import { encumbranceRoute } from './routes/encumbrance.ts';
import { ENCUMBRANCES } from './tables.ts';

export const encumbrance: Module = {
  name: 'encumbrance',
  derivation: encumbranceDerivation,
  export: encumbranceExport,
  routes: [encumbranceRoute],
  candidates: [recordCandidates('encumbrance', ENCUMBRANCES)],
};
